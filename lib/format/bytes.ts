import { type FormatLanguage, formatNumber } from './language.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size in bytes, by 1024s, in three significant digits: "512 B", "9.5 KiB", "1.24 GiB". The symbols are the same everywhere. */
export function formatBytes(bytes: number, language: FormatLanguage = 'en'): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  // 1023.6 of a unit would read "1,024": it is 1 of the next.
  while (size >= 1023.5 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${formatNumber(size, language, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}
