import { CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { WindowName } from '#lib/contract/series.ts';
import type { Mark } from './marks.ts';
import { PALETTE } from './palette.ts';
import { timeAxis } from './time-axis.ts';

/** What all charts share: their margins, and one cursor over all of a page. */
export const CHART = { syncId: 'stats', responsive: true, margin: { top: 8, right: 4, bottom: 0, left: 0 } };

const TEXT = { fontSize: 11, fill: PALETTE.muted };

type TimeAxisProps = {
  readonly times: readonly number[];
  readonly range: WindowName;
  /** Only the line: the labels are under the chart below. */
  readonly bare?: boolean;
};

/** One category per bucket, ticks on round clock times. */
export function TimeAxis({ times, range, bare = false }: TimeAxisProps) {
  const { ticks, label } = timeAxis(times, range);
  return (
    <XAxis
      dataKey="time"
      ticks={ticks}
      tickFormatter={label}
      tick={bare ? false : TEXT}
      height={bare ? 4 : 24}
      tickLine={false}
      minTickGap={20}
      axisLine={{ stroke: PALETTE.line }}
    />
  );
}

type ValueAxisProps = { readonly ticks: number; readonly format: (value: number) => string };

/** The scale on the left, with its grid lines. All are equally wide, so that the time axes of a page stand in line. */
export function ValueAxis({ ticks, format }: ValueAxisProps) {
  return (
    <>
      <CartesianGrid vertical={false} stroke={PALETTE.line} />
      <YAxis
        width={50}
        tick={TEXT}
        tickLine={false}
        axisLine={false}
        interval={0}
        tickCount={ticks}
        tickFormatter={(value) => format(Number(value))}
      />
    </>
  );
}

/** A dashed line where something changed; the tooltip of that bucket and the list below say what. */
export function MarkLines({ marks }: { readonly marks: readonly Mark[] }) {
  return marks.map((mark) => (
    <ReferenceLine key={mark.time} x={mark.time} stroke={PALETTE.muted} strokeDasharray="2 3" />
  ));
}
