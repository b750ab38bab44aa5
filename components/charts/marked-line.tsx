import { LineDrawShape, type LineDrawShapeProps } from 'recharts';
import { markerPath } from './marker-path.ts';
import type { Marker } from './palette.ts';

/** A marker stands on about so many points of a line. */
const MARKED = 8;

/**
 * Draws a line with its marker on a few points, each line on other ones than the line before, and a small dot where a
 * value has no neighbour to be joined with. In one shape: recharts' own dots are a component for every point, and a
 * page of charts has thousands.
 */
export function markedLine(index: number, marker: Marker | undefined) {
  return (props: LineDrawShapeProps) => {
    const { points = [], stroke } = props;
    const step = Math.max(1, Math.floor(points.length / MARKED));
    const phase = (index * 2 + 1) % step;
    const isKnown = (at: number) => (points[at]?.y ?? null) !== null;
    return (
      <>
        <LineDrawShape {...props} />
        {points.flatMap(({ x, y }, at) => {
          if (x === null || y === null) return [];
          if (marker !== undefined && at % step === phase) {
            return <path key={x} d={markerPath(marker)} transform={`translate(${x} ${y})`} fill={stroke} />;
          }
          return isKnown(at - 1) || isKnown(at + 1) ? [] : <circle key={x} cx={x} cy={y} r={2.2} fill={stroke} />;
        })}
      </>
    );
  };
}
