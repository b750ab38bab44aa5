/** Times are ms since the epoch; `timeZone` is the browser's own where it is not given. */
type Zone = string | undefined;

/** "12:04" */
export function formatClock(time: number, timeZone?: Zone): string {
  return format(time, timeZone, { hour: '2-digit', minute: '2-digit' });
}

/** "12:04:31" */
export function formatClockSeconds(time: number, timeZone?: Zone): string {
  return format(time, timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

/** "30 Nov" */
export function formatDay(time: number, timeZone?: Zone): string {
  return format(time, timeZone, { day: 'numeric', month: 'short' });
}

/** "30 Nov 2026, 12:04:31": for hovering over a relative time. */
export function formatDateTime(time: number, timeZone?: Zone): string {
  return `${format(time, timeZone, { day: 'numeric', month: 'short', year: 'numeric' })}, ${formatClockSeconds(time, timeZone)}`;
}

/** The clock time, with its day where that is not the day of `now`: "12:04" or "29 Nov, 12:04". */
export function formatMoment(time: number, now: number, timeZone?: Zone): string {
  const clock = formatClock(time, timeZone);
  const day = formatDay(time, timeZone);
  return day === formatDay(now, timeZone) ? clock : `${day}, ${clock}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Building an Intl formatter costs far more than using it, and charts use one per tick. */
function format(time: number, timeZone: Zone, options: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone ?? ''} ${Object.keys(options).join(' ')}`;
  const known = formatters.get(key);
  if (known) return known.format(time);
  const made = new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options, ...(timeZone ? { timeZone } : {}) });
  formatters.set(key, made);
  return made.format(time);
}
