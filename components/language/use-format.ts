import { useLocale } from 'use-intl';
import { formatBytes } from '#lib/format/bytes.ts';
import { formatAge, formatSeconds, formatSecondsTick } from '#lib/format/duration.ts';
import type { FormatLanguage } from '#lib/format/language.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatClock, formatClockSeconds, formatDateTime, formatDay, formatMoment } from '#lib/format/time.ts';
import { formatCompact, formatExact } from '#lib/format/tokens.ts';

/** How numbers and times are written; see lib/format for each. Times are the browser's own zone. */
export type Format = ReturnType<typeof createFormat>;

/** The formatters in the language that the page is in. The same object for as long as that is so. */
export function useFormat(): Format {
  return FORMATS[useLocale()];
}

function createFormat(language: FormatLanguage) {
  return {
    percent: (percent: number, digits: 0 | 1 = 1) => formatPercent(percent, digits, language),
    seconds: (seconds: number) => formatSeconds(seconds, language),
    secondsTick: (seconds: number) => formatSecondsTick(seconds, language),
    age: (ageMs: number) => formatAge(ageMs, language),
    clock: (time: number) => formatClock(time, undefined, language),
    clockSeconds: (time: number) => formatClockSeconds(time, undefined, language),
    day: (time: number) => formatDay(time, undefined, language),
    dateTime: (time: number) => formatDateTime(time, undefined, language),
    moment: (time: number, now: number) => formatMoment(time, now, undefined, language),
    compact: (value: number) => formatCompact(value, language),
    exact: (value: number) => formatExact(value, language),
    bytes: (bytes: number) => formatBytes(bytes, language),
  } as const;
}

const FORMATS = { en: createFormat('en'), hi: createFormat('hi') } as const satisfies Record<FormatLanguage, Format>;
