import { type ReactNode, useRef } from 'react';
import { drawFigure } from '#components/charts/draw-figure.ts';
import { fileName } from '#components/charts/file-name.ts';
import type { LegendEntry } from '#components/charts/legend.tsx';
import { PngButton } from '#components/charts/png-button.tsx';
import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { useWords } from './words.ts';

type Props = {
  readonly title: string;
  readonly note: string | null;
  readonly report: BenchmarkReport;
  readonly id: number;
  /** What the card says of all its figures; alone, a picture has to say it itself. */
  readonly cardNote: string | null;
  /** The series in it that are shown; null where there is no chart. */
  readonly legend: readonly LegendEntry[] | null;
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** A chart of the report under its title, also as a picture. */
export function Figure({ title, note, report, id, cardNote, legend, action, children }: Props) {
  const { t } = useWords();
  const chart = useRef<HTMLDivElement>(null);
  const notes = [cardNote, note].filter((text) => text !== null).join('; ');
  const run = { run: String(id), model: report.plan.model };
  const source = t(report.engine.simulated ? 'sourceSimulated' : 'source', run);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span>
          <span className="font-medium">{title}</span>
          {note === null ? null : <span className="ml-2 text-muted text-xs">{note}</span>}
        </span>
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {action}
          {legend === null ? null : (
            <PngButton
              title={title}
              file={`${fileName('benchmark', String(id), title)}.png`}
              // Simulated numbers must not pass for those of a box.
              draw={() => drawFigure(chart, { title, note: `${notes}. ${source}`, legend })}
            />
          )}
        </span>
      </figcaption>
      <div ref={chart} className="min-h-[15.75rem]">
        {children}
      </div>
    </figure>
  );
}
