import { formatClock, formatDay } from '#lib/format/time.ts';
import type { Mark } from './marks.ts';

const SHOWN = 6;

/** What the dashed lines of a chart stand for, newest first. */
export function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  if (marks.length === 0) return null;
  const spansDays = formatDay(marks[0]?.time ?? 0) !== formatDay(marks.at(-1)?.time ?? 0);
  const when = (time: number) => (spansDays ? `${formatDay(time)}, ${formatClock(time)}` : formatClock(time));
  return (
    <ul aria-label="Changes" className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs tabular-nums">
      {marks.slice(0, SHOWN).map((mark) => (
        <li key={mark.time} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-3 border-muted border-l border-dashed" />
          {when(mark.time)} {mark.texts.join(', ')}
        </li>
      ))}
      {marks.length > SHOWN ? <li>and {marks.length - SHOWN} earlier</li> : null}
    </ul>
  );
}
