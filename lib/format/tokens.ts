import { type FormatLanguage, formatNumber } from './language.ts';

const UNITS = [
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'k' },
] as const;

/**
 * A count or a rate in three significant digits and a unit: 7, 8.5, 950, 9.5k, 38.2k, 1.24M in English, 38.2 हज़ार and
 * 12.4 लाख in Hindi. What would round up to 1000 of a unit is shown as 1 of the next.
 */
export function formatCompact(value: number, language: FormatLanguage = 'en'): string {
  if (language === 'hi') return compactByIntl(value, language);
  const size = Math.abs(value);
  for (const [index, unit] of UNITS.entries()) {
    const larger = UNITS[index - 1];
    const digits = threeDigits(size / unit.size);
    if (larger && Number(digits) >= 1000) return sign(value) + threeDigits(size / larger.size) + larger.suffix;
    if (Number(threeDigits(size)) >= unit.size) return sign(value) + digits + unit.suffix;
  }
  return sign(value) + threeDigits(size);
}

/** The whole number with grouping, 38,215: by lakhs in Hindi, 12,40,000. */
export function formatExact(value: number, language: FormatLanguage = 'en'): string {
  return formatNumber(value, language, { maximumFractionDigits: 1 });
}

/** Below a thousand Intl's short form drops digits that ours keeps (8.46); rounding first to ours makes them agree. */
function compactByIntl(value: number, language: FormatLanguage): string {
  const rounded = Math.abs(value) < 1000 ? Number(threeDigits(Math.abs(value))) * Math.sign(value) : value;
  return formatNumber(rounded, language, { notation: 'compact', maximumSignificantDigits: 3 });
}

/** At most three significant digits, no trailing zeros; whole numbers from 100 on. */
function threeDigits(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  return String(Number(value.toFixed(value >= 9.995 ? 1 : 2)));
}

function sign(value: number): string {
  return value < 0 ? '−' : '';
}
