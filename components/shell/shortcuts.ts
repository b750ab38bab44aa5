import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { usePauseToggle } from '#components/data/pause.ts';
import { stepRange } from '#components/data/range-steps.ts';
import { PAGES } from './pages.ts';

/** After `g`, the page's key must follow within this time. */
const SECOND_KEY_MS = 1500;

/**
 * `?` help, `g` and a letter for pages, space to pause, `/` to the search, `j` and `k` through the rows, `[` and `]` for
 * the time range; silent while typing, in dialogs and on focused controls.
 */
export function useShortcuts(onHelp: () => void): void {
  const router = useRouter();
  const togglePaused = usePauseToggle();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const actions: Readonly<Record<string, () => unknown>> = {
      '?': onHelp,
      ' ': togglePaused,
      '/': () => document.querySelector<HTMLElement>('main input[type=search]')?.focus(),
      j: () => moveToRow(1),
      k: () => moveToRow(-1),
      '[': () => stepRange(-1),
      ']': () => stepRange(1),
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
      const page = PAGES.find((one) => one.key === event.key);
      const afterG = event.timeStamp - pressedG.current < SECOND_KEY_MS;
      pressedG.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const act = page && afterG ? () => router.push(page.href) : actions[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [router, onHelp, togglePaused]);
}

/** Focuses the next or the previous row of the page's tables; the first one where none has the focus. */
function moveToRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tr[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  rows[at === -1 ? 0 : at + step]?.focus();
}

/** Whether the key belongs to what has the focus. Space works buttons, links and scrolling boxes, so it is theirs. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=menu]')
  ) {
    return true;
  }
  return (
    event.key === ' ' && target.closest('button, a, summary, [role=radio], [role=switch], [tabindex="0"]') !== null
  );
}
