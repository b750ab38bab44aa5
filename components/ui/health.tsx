import clsx from 'clsx';
import type { Health as HealthState } from '#lib/contract/models.ts';

const WORDS = {
  up: { word: 'Up', dot: 'bg-ok', text: 'text-ok' },
  degraded: { word: 'Degraded', dot: 'bg-warn', text: 'text-warn' },
  down: { word: 'Down', dot: 'bg-bad', text: 'text-bad' },
  draining: { word: 'Draining', dot: 'bg-warn', text: 'text-warn' },
} as const;

type Props = { readonly health: HealthState | 'draining'; readonly className?: string };

/** Health as a dot and a word: never by colour alone. */
export function Health({ health, className }: Props) {
  const { word, dot, text } = WORDS[health];
  return (
    <span className={clsx('inline-flex items-center gap-1.5 whitespace-nowrap font-medium', text, className)}>
      <span aria-hidden="true" className={clsx('size-2 rounded-full', dot)} />
      {word}
    </span>
  );
}
