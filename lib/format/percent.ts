import { type FormatLanguage, formatNumber } from './language.ts';

/**
 * A share given in percent (0 to 100). One that is not whole never rounds to a claim of all or nothing: 99.97 with one
 * digit is ">99.9%", 0.02 is "<0.1%".
 */
export function formatPercent(value: number, digits: 0 | 1 = 1, language: FormatLanguage = 'en'): string {
  const step = digits === 0 ? 1 : 0.1;
  const rounded = Number(value.toFixed(digits));
  if (value < 100 && rounded >= 100) return `>${written(100 - step, digits, language)}`;
  if (value > 0 && rounded <= 0) return `<${written(step, digits, language)}`;
  return written(rounded, digits, language);
}

function written(percent: number, digits: 0 | 1, language: FormatLanguage): string {
  const form = { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return formatNumber(percent / 100, language, { ...form, useGrouping: false });
}
