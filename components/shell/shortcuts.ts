import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { usePauseToggle } from '#components/data/pause.ts';
import { PAGES } from './pages.ts';

/** After `g`, the page's key must follow within this time. */
const SECOND_KEY_MS = 1500;

/** `?` help, `g` and a letter for pages, space to pause; silent while typing, in dialogs and on focused controls. */
export function useShortcuts(onHelp: () => void): void {
  const router = useRouter();
  const togglePaused = usePauseToggle();
  const pressedG = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
      const page = PAGES.find((one) => one.key === event.key);
      if (page && event.timeStamp - pressedG.current < SECOND_KEY_MS) router.push(page.href);
      else if (event.key === '?') onHelp();
      else if (event.key === ' ') {
        event.preventDefault();
        togglePaused();
      }
      pressedG.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [router, onHelp, togglePaused]);
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
