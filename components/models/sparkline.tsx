import clsx from 'clsx';

type Props = {
  /** Percent, oldest first; null where nothing was measured, which is drawn as a gap. */
  readonly values: readonly (number | null)[];
  /** What the line shows, with its numbers, for those who do not see it. */
  readonly label: string;
  readonly className?: string;
};

const WIDTH = 120;
const HEIGHT = 28;
const MARGIN = 2;

/** A share over time without axes, always from 0 to 100 %, so that the lines of two cards compare. */
export function Sparkline({ values, label, className }: Props) {
  const x = (index: number) => MARGIN + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value: number) => HEIGHT - MARGIN - (value / 100) * (HEIGHT - 2 * MARGIN);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={clsx('block h-7 overflow-visible', className)}
    >
      <line
        x1={0}
        x2={WIDTH}
        y1={HEIGHT - MARGIN}
        y2={HEIGHT - MARGIN}
        stroke="var(--line)"
        vectorEffect="non-scaling-stroke"
      />
      {stretches(values).map((stretch) => (
        <polyline
          key={stretch.start}
          // A single measured bar is a dot: a line of no length with round ends.
          points={[...stretch.values, ...(stretch.values.length === 1 ? stretch.values : [])]
            .map((value, index) => `${x(Math.min(stretch.start + index, stretch.end))},${y(value)}`)
            .join(' ')}
          fill="none"
          stroke="var(--cached)"
          strokeWidth={stretch.values.length === 1 ? 4 : 2}
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

type Stretch = { readonly start: number; end: number; readonly values: number[] };

/** Measured bars that follow one another. */
function stretches(values: readonly (number | null)[]): Stretch[] {
  const found: Stretch[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const last = found.at(-1);
    if (last !== undefined && last.end === index - 1) {
      last.values.push(value);
      last.end = index;
    } else {
      found.push({ start: index, end: index, values: [value] });
    }
  }
  return found;
}
