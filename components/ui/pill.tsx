import clsx from 'clsx';
import type { ReactNode } from 'react';

const TONES = {
  plain: 'border-line text-muted',
  accent: 'border-transparent bg-accent-soft text-accent',
  ok: 'border-transparent bg-ok-soft text-ok',
  warn: 'border-transparent bg-warn-soft text-warn',
  bad: 'border-transparent bg-bad-soft text-bad',
} as const;

export type Tone = keyof typeof TONES;

type Props = { readonly tone?: Tone; readonly children: ReactNode; readonly className?: string };

/** A short label. */
export function Pill({ tone = 'plain', children, className }: Props) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 font-medium text-xs tabular-nums',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
