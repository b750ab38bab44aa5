export type TooltipLine = { readonly label: string; readonly color: string; readonly text: string };

type Props = {
  readonly title: string;
  readonly lines: readonly TooltipLine[];
  readonly note: string;
  /** What changed in this bucket. */
  readonly marks: readonly string[];
};

/** What the pointer is at: every series of that instant. */
export function ChartTooltip({ title, lines, note, marks }: Props) {
  return (
    <div className="rounded-md border border-line-strong bg-raised px-3 py-2 text-xs tabular-nums">
      <p className="mb-1 font-medium">{title}</p>
      <table>
        <tbody>
          {lines.map((line) => (
            <tr key={line.label}>
              <td className="pr-4 text-muted">
                <span className="inline-flex items-center gap-1.5">
                  <span aria-hidden="true" className="size-2 rounded-sm" style={{ background: line.color }} />
                  {line.label}
                </span>
              </td>
              <td className="text-right font-medium">{line.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1 text-muted">{note}</p>
      {marks.map((mark) => (
        <p key={mark} className="mt-0.5 font-medium">
          {mark}
        </p>
      ))}
    </div>
  );
}
