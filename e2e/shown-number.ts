/** What a number on a page can stand for: it is rounded there. */
type Shown = { readonly least: number; readonly most: number };

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, min: 60, h: 3600, d: 86_400 };
const MULTIPLES: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  B: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/**
 * Whether a text on the page, in English, stands for a number of the API: "26.1k", "78.1%", "380 ms", "1 min 23 s" (of
 * seconds), "9.5 KiB", ">99.9%", and "—" or "not reported" for null and nothing else. Throws where the text is no number.
 */
export function standsFor(text: string, value: number | null): boolean {
  const shown = shownNumber(text);
  if (shown === null || value === null) return shown === null && value === null;
  const hair = 1e-9 * Math.max(1, Math.abs(value));
  return value >= shown.least - hair && value <= shown.most + hair;
}

function shownNumber(text: string): Shown | null {
  if (/—|not reported/.test(text)) return null;
  const parts = [...text.matchAll(/(\d[\d,]*(?:\.\d+)?)\s?(ms|min|[KMG]iB|[kMB%shd](?![a-z]))?/g)].map(
    ([, digits = '', unit = '']) => {
      return { digits: digits.replaceAll(',', ''), unit, isGrouped: digits.includes(',') };
    },
  );
  const [first] = parts;
  if (first === undefined) throw new Error(`not a number: "${text}"`);
  const value = parts.reduce(
    (sum, { digits, unit }) => sum + Number(digits) * (SECONDS[unit] ?? MULTIPLES[unit] ?? 1),
    0,
  );
  if (text.includes('<')) return { least: 0, most: value };
  if (text.includes('>')) return { least: value, most: 100 };
  const slack = slackOf(parts.at(-1) ?? first);
  return { least: value - slack, most: value + slack };
}

type Part = { readonly digits: string; readonly unit: string; readonly isGrouped: boolean };

/** Half of the last digit that is written. Long durations are cut and not rounded: the whole of it. */
function slackOf({ digits, unit, isGrouped }: Part): number {
  const decimals = digits.split('.')[1]?.length ?? 0;
  const seconds = SECONDS[unit];
  if (seconds !== undefined) return seconds > 1 ? seconds : (0.5 * seconds) / 10 ** decimals;
  if (unit === '%' || isGrouped) return 0.5 / 10 ** decimals;
  // Three significant digits, of which zeros at the end are left out.
  const whole = digits.split('.')[0]?.length ?? 1;
  return (0.5 * (MULTIPLES[unit] ?? 1)) / 10 ** Math.max(0, 3 - whole);
}
