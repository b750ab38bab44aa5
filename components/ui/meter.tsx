import clsx from 'clsx';

const FILLS = { accent: 'bg-accent', ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad' } as const;

type Props = {
  /** What is measured, for those who do not see the bar. */
  readonly label: string;
  /** 0 to 1; null draws an empty, hatched track. */
  readonly share: number | null;
  readonly tone?: keyof typeof FILLS;
  readonly className?: string;
};

/** A thin bar beside a number that says the same: the number is the text, so the bar is hidden from readers. */
export function Meter({ label, share, tone = 'accent', className }: Props) {
  const filled = share === null ? 0 : Math.min(1, Math.max(0, share));
  return (
    <span
      aria-hidden="true"
      title={label}
      className={clsx('block h-1.5 overflow-hidden rounded-full bg-line', share === null && 'opacity-60', className)}
    >
      <span
        className={clsx('block h-full origin-left rounded-full transition-transform', FILLS[tone])}
        style={{ transform: `scaleX(${filled})` }}
      />
    </span>
  );
}
