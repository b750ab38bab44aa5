import type { BarShapeProps } from 'recharts';

const FILLING_OPACITY = 0.5;
const LEAST_HEIGHT = 0.75;

/** A flat bar; the bucket that is still filling is paler. */
export function BarShape({ x, y, width, height, fill, payload }: BarShapeProps) {
  return <rect x={x} y={y} width={width} height={Math.max(0, height)} fill={fill} fillOpacity={opacity(payload)} />;
}

/** The upper segment of a stack, a hair's breadth above the lower one: the two must not be told apart by hue alone. */
export function UpperBarShape({ x, y, width, height, fill, payload }: BarShapeProps) {
  const drawn = height <= 0 ? 0 : Math.max(LEAST_HEIGHT, height - 1);
  return <rect x={x} y={y} width={width} height={drawn} fill={fill} fillOpacity={opacity(payload)} />;
}

function opacity(payload: unknown): number {
  const isFilling = typeof payload === 'object' && payload !== null && 'filling' in payload && payload.filling === true;
  return isFilling ? FILLING_OPACITY : 1;
}
