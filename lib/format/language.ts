/** The languages that numbers and times can be written in. English is British: day before month, 24 hours. */
export type FormatLanguage = 'en' | 'hi';

const LOCALES = { en: 'en-GB', hi: 'hi-IN' } as const satisfies Record<FormatLanguage, string>;

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** A number in the form of a language. Building an Intl formatter costs far more than using it, so each is kept. */
export function formatNumber(value: number, language: FormatLanguage, options: Intl.NumberFormatOptions = {}): string {
  const key = `${language} ${JSON.stringify(options)}`;
  let made = numbers.get(key);
  if (!made) {
    made = new Intl.NumberFormat(LOCALES[language], options);
    numbers.set(key, made);
  }
  return made.format(value).replace('-', '−');
}

/** A time (ms since the epoch) in the form of a language, with 24 hours in all of them; formatters are kept as above. */
export function formatTime(time: number, language: FormatLanguage, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`;
  let made = dates.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(LOCALES[language], { hourCycle: 'h23', ...options });
    dates.set(key, made);
  }
  return made.format(time);
}
