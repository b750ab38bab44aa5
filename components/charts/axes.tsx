import { CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { Format } from '#components/language/use-format.ts';
import type { Mark } from './marks.ts';
import { PALETTE } from './palette.ts';
import { timeAxis } from './time-axis.ts';
import { valueTicks } from './value-ticks.ts';

export const CHART_MARGIN = { top: 8, right: 4, bottom: 0, left: 0 };

/** Written on the axes, at a scale of the page's text. */
export function axisText(textScale: number) {
  return { fontSize: 11 * textScale, fill: PALETTE.muted };
}

/** All value axes are equally wide, so that the time axes of a page stand in line. */
export const VALUE_AXIS_WIDTH = 60;
export const TIME_AXIS_HEIGHT = 24;

type TimeAxisProps = {
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  readonly format: Format;
  /** Only the line: the labels are under the chart below. */
  readonly bare?: boolean;
  readonly textScale: number;
};

/** One category per bucket, ticks on round clock times. Bars and lines stand in the middle of a bucket alike. */
export function TimeAxis({ times, bucketSeconds, format, bare = false, textScale }: TimeAxisProps) {
  const { ticks, label } = timeAxis(times, bucketSeconds, format);
  return (
    <XAxis
      dataKey="time"
      scale="band"
      ticks={ticks}
      tickFormatter={label}
      tick={bare ? false : axisText(textScale)}
      height={bare ? 4 : TIME_AXIS_HEIGHT * textScale}
      tickLine={false}
      minTickGap={20 * textScale}
      axisLine={{ stroke: PALETTE.line }}
    />
  );
}

export type ValueScale = {
  /** About how many values are written beside it. */
  readonly ticks: number;
  readonly format: (value: number) => string;
  /** The top of the scale; by the values where not given. */
  readonly most?: number;
  /** Counts: no tick between two whole numbers. */
  readonly whole?: boolean;
};

type ValueAxisProps = {
  readonly scale: ValueScale;
  /** The highest value that is drawn. */
  readonly top: number;
  readonly textScale: number;
};

/** The scale on the left, with its grid lines. */
export function ValueAxis({ scale, top, textScale }: ValueAxisProps) {
  const { format, most, whole = false } = scale;
  const ticks = valueTicks(most ?? top, scale.ticks, whole);
  return (
    <>
      <CartesianGrid vertical={false} stroke={PALETTE.line} />
      <YAxis
        width={VALUE_AXIS_WIDTH * textScale}
        tick={axisText(textScale)}
        tickLine={false}
        axisLine={false}
        interval={0}
        ticks={ticks}
        domain={[0, ticks.at(-1) ?? 0]}
        tickFormatter={(value) => format(Number(value))}
      />
    </>
  );
}

/** A dashed line where something changed; the tooltip of that bucket and the list on the page say what. */
export function MarkLines({ marks }: { readonly marks: readonly Mark[] }) {
  return marks.map((mark) => (
    <ReferenceLine key={mark.time} x={mark.time} stroke={PALETTE.muted} strokeDasharray="2 3" />
  ));
}
