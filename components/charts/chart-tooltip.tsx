export type TooltipLine = {
  readonly label: string;
  /** Null for what has no place in the drawing. */
  readonly color: string | null;
  readonly text: string;
  /** The period before; absent where it is not compared. */
  readonly before?: string;
};

type Props = {
  readonly title: string;
  /** Heads the column of the period before. */
  readonly beforeTitle?: string;
  readonly lines: readonly TooltipLine[];
  readonly note: string;
  /** What changed in this bucket. */
  readonly marks: readonly string[];
};

/** What the pointer is at: every series of that instant. */
export function ChartTooltip({ title, beforeTitle, lines, note, marks }: Props) {
  return (
    <div className="rounded-md border border-line-strong bg-raised px-3 py-2 text-xs tabular-nums">
      <p className="mb-1 font-medium">{title}</p>
      <table>
        {beforeTitle === undefined ? null : (
          <thead>
            <tr>
              <td />
              <td />
              <td className="pl-4 text-right text-faint">{beforeTitle}</td>
            </tr>
          </thead>
        )}
        <tbody>
          {lines.map((line) => (
            <tr key={line.label}>
              <td className="pr-4 text-muted">
                <span className="inline-flex items-center gap-1.5">
                  <span
                    aria-hidden="true"
                    className="size-2 rounded-sm"
                    style={line.color === null ? undefined : { background: line.color }}
                  />
                  {line.label}
                </span>
              </td>
              <td className="text-right font-medium">{line.text}</td>
              {line.before === undefined ? null : <td className="pl-4 text-right text-muted">{line.before}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {note === '' ? null : <p className="mt-1 text-muted">{note}</p>}
      {marks.map((mark) => (
        <p key={mark} className="mt-0.5 font-medium">
          {mark}
        </p>
      ))}
    </div>
  );
}
