import { type FormatLanguage, formatTime } from './language.ts';

/** Times are ms since the epoch; `timeZone` is the browser's own where it is not given. */
type Zone = string | undefined;

/** "12:04" */
export function formatClock(time: number, timeZone?: Zone, language: FormatLanguage = 'en'): string {
  return formatTime(time, language, { hour: '2-digit', minute: '2-digit', timeZone });
}

/** "12:04:31" */
export function formatClockSeconds(time: number, timeZone?: Zone, language: FormatLanguage = 'en'): string {
  return formatTime(time, language, { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone });
}

/** "30 Nov" */
export function formatDay(time: number, timeZone?: Zone, language: FormatLanguage = 'en'): string {
  return formatTime(time, language, { day: 'numeric', month: 'short', timeZone });
}

/** "30 Nov 2026, 12:04:31": for hovering over a relative time. */
export function formatDateTime(time: number, timeZone?: Zone, language: FormatLanguage = 'en'): string {
  const date = formatTime(time, language, { day: 'numeric', month: 'short', year: 'numeric', timeZone });
  return `${date}, ${formatClockSeconds(time, timeZone, language)}`;
}

/** The clock time, with its day where that is not the day of `now`: "12:04" or "29 Nov, 12:04". */
export function formatMoment(time: number, now: number, timeZone?: Zone, language: FormatLanguage = 'en'): string {
  const clock = formatClock(time, timeZone, language);
  const day = formatDay(time, timeZone, language);
  return day === formatDay(now, timeZone, language) ? clock : `${day}, ${clock}`;
}
