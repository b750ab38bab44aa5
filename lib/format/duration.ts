import { type FormatLanguage, formatNumber } from './language.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const NO_BREAK = '\u00a0';

type Unit = 'millisecond' | 'second' | 'minute' | 'hour' | 'day';

/** English uses the symbols of the SI, which Intl has not ("sec", "hr"); Hindi uses Intl's. */
const SYMBOLS = { millisecond: 'ms', second: 's', minute: 'min', hour: 'h', day: 'd' } as const;

/** A length of time given in seconds, in at most two units: "380 ms", "2.05 s", "1 min 23 s", "3 h 5 min", "2 d 4 h". */
export function formatSeconds(seconds: number, language: FormatLanguage = 'en'): string {
  if (seconds > 0 && seconds < 0.001) return `<${quantity(1, 'millisecond', language)}`;
  if (seconds < 0.9995) return quantity(Math.round(seconds * 1000), 'millisecond', language);
  if (seconds < 9.995) return quantity(seconds, 'second', language, 2);
  if (seconds < 59.95) return quantity(seconds, 'second', language, 1);
  const whole = Math.round(seconds);
  if (whole < HOUR) return twoUnits(whole, [MINUTE, 'minute'], [1, 'second'], language);
  if (whole < DAY) return twoUnits(whole, [HOUR, 'hour'], [MINUTE, 'minute'], language);
  return twoUnits(whole, [DAY, 'day'], [HOUR, 'hour'], language);
}

/** A round length of time for an axis, never broken over two lines: "0", "900 ms", "1.8 s", "45 s", "2 min". */
export function formatSecondsTick(seconds: number, language: FormatLanguage = 'en'): string {
  if (seconds === 0) return '0';
  return tick(seconds, language).replaceAll(' ', NO_BREAK);
}

/** How long ago something was, in its largest unit: "now", "2 s ago", "3 min ago", "5 d ago". Ages below 0 are "now". */
export function formatAge(ageMs: number, language: FormatLanguage = 'en'): string {
  const seconds = Math.floor(ageMs / 1000);
  if (seconds < 1) return language === 'hi' ? 'अभी' : 'now';
  const age = oneUnit(seconds, language);
  return language === 'hi' ? `${age} पहले` : `${age} ago`;
}

function tick(seconds: number, language: FormatLanguage): string {
  if (seconds < 1) return quantity(Math.round(seconds * 1000), 'millisecond', language);
  if (seconds < 2 * MINUTE) return quantity(Number(seconds.toFixed(1)), 'second', language);
  return quantity(Number((seconds / MINUTE).toFixed(1)), 'minute', language);
}

function oneUnit(seconds: number, language: FormatLanguage): string {
  if (seconds < MINUTE) return quantity(seconds, 'second', language);
  if (seconds < HOUR) return quantity(Math.floor(seconds / MINUTE), 'minute', language);
  if (seconds < DAY) return quantity(Math.floor(seconds / HOUR), 'hour', language);
  return quantity(Math.floor(seconds / DAY), 'day', language);
}

type Sized = readonly [size: number, unit: Unit];

function twoUnits(seconds: number, [size, unit]: Sized, [smallSize, smallUnit]: Sized, language: FormatLanguage) {
  const rest = Math.floor((seconds % size) / smallSize);
  const whole = quantity(Math.floor(seconds / size), unit, language);
  return rest === 0 ? whole : `${whole} ${quantity(rest, smallUnit, language)}`;
}

/** With `digits`, exactly so many after the point; else as many as the value has. */
function quantity(value: number, unit: Unit, language: FormatLanguage, digits?: number): string {
  const form = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (language === 'en') return `${formatNumber(value, 'en', { ...form, useGrouping: false })} ${SYMBOLS[unit]}`;
  return formatNumber(value, language, { ...form, style: 'unit', unit, unitDisplay: 'short' });
}
