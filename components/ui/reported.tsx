type Props<T> = {
  readonly value: T | null;
  readonly format: (value: T) => string;
  /** Why it may be missing, for the tooltip. */
  readonly why?: string;
};

/** A value that may be unknown: a dash that reads "not reported", never a 0. */
export function Reported<T>({ value, format, why = 'Not reported by the engine' }: Props<T>) {
  if (value !== null) return <span className="tabular-nums">{format(value)}</span>;
  return (
    <span title={why} className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">not reported</span>
    </span>
  );
}
