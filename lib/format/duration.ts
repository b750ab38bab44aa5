const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const NO_BREAK = '\u00a0';

/** A length of time given in seconds, in at most two units: "380 ms", "2.05 s", "1 min 23 s", "3 h 5 min", "2 d 4 h". */
export function formatSeconds(seconds: number): string {
  if (seconds > 0 && seconds < 0.001) return '<1 ms';
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR) return twoUnits(whole, MINUTE, ['min', 's', 1]);
  if (whole < DAY) return twoUnits(whole, HOUR, ['h', 'min', MINUTE]);
  return twoUnits(whole, DAY, ['d', 'h', HOUR]);
}

/** A round length of time for an axis, never broken over two lines: "0", "900 ms", "1.8 s", "45 s", "2 min". */
export function formatSecondsTick(seconds: number): string {
  if (seconds === 0) return '0';
  if (seconds < 1) return `${Math.round(seconds * 1000)}${NO_BREAK}ms`;
  if (seconds < 2 * MINUTE) return `${Number(seconds.toFixed(1))}${NO_BREAK}s`;
  return `${Number((seconds / MINUTE).toFixed(1))}${NO_BREAK}min`;
}

/** How long ago something was, in its largest unit: "now", "2 s ago", "3 min ago", "5 d ago". Ages below 0 are "now". */
export function formatAge(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1000);
  if (seconds < 1) return 'now';
  if (seconds < MINUTE) return `${seconds} s ago`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  return `${Math.floor(seconds / DAY)} d ago`;
}

function twoUnits(seconds: number, size: number, [large, small, smallSize]: readonly [string, string, number]): string {
  const rest = Math.floor((seconds % size) / smallSize);
  const whole = `${Math.floor(seconds / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}
