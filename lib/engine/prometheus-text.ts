/** One line of an exposition. A timestamp or an exemplar behind the value is left out. */
type Sample = {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
};

const NO_LABELS: ReadonlyMap<string, string> = new Map();

/**
 * The samples of a metrics text, Prometheus 0.0.4 or OpenMetrics 1.0. Comments and lines that are neither are passed
 * over. `wants` is asked with the metric's name, before the labels are read.
 */
export function* parseExposition(
  text: string,
  wants: (name: string) => boolean = () => true,
): Generator<Sample, void, undefined> {
  let from = 0;
  while (from < text.length) {
    // A line feed inside a label value is always escaped, so every raw one ends a line.
    const lineFeed = text.indexOf('\n', from);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const sample = parseLine(text, from, end, wants);
    if (sample !== null) yield sample;
    from = end + 1;
  }
}

function parseLine(text: string, from: number, end: number, wants: (name: string) => boolean): Sample | null {
  const start = skipBlanks(text, from, end);
  let at = start;
  while (at < end && isNameCode(text.charCodeAt(at))) at += 1;
  if (at === start) return null;
  const name = text.slice(start, at);
  if (!wants(name)) return null;
  at = skipBlanks(text, at, end);
  let labels = NO_LABELS;
  if (text[at] === '{') {
    const parsed = parseLabels(text.slice(at, end));
    if (parsed === null) return null;
    labels = parsed.labels;
    at += parsed.length;
  }
  const value = parseValue(text.slice(at, end));
  return value === null ? null : { name, labels, value };
}

/** Reads `{a="x",b="y"}` from the start of `text`; `length` is what it took. */
function parseLabels(text: string): { labels: Map<string, string>; length: number } | null {
  const labels = new Map<string, string>();
  let at = skipBlanks(text, 1, text.length);
  while (text[at] !== '}') {
    const equals = text.indexOf('=', at);
    if (equals === -1) return null;
    const open = skipBlanks(text, equals + 1, text.length);
    if (text[open] !== '"') return null;
    const close = closingQuote(text, open);
    if (close === -1) return null;
    labels.set(text.slice(at, equals).trim(), unescapeValue(text.slice(open + 1, close)));
    at = skipBlanks(text, close + 1, text.length);
    if (text[at] === ',') at = skipBlanks(text, at + 1, text.length);
    else if (text[at] !== '}') return null;
  }
  return { labels, length: at + 1 };
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** `\\`, `\"` and `\n` are the only escapes; a backslash before anything else stands for itself. */
function unescapeValue(raw: string): string {
  if (!raw.includes('\\')) return raw;
  let value = '';
  for (let at = 0; at < raw.length; at += 1) {
    const next = raw[at] === '\\' ? ESCAPES.get(raw[at + 1] ?? '') : undefined;
    value += next ?? raw[at] ?? '';
    if (next !== undefined) at += 1;
  }
  return value;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['"', '"'],
  ['n', '\n'],
]);

/** The first word of what follows the labels. */
function parseValue(text: string): number | null {
  const start = skipBlanks(text, 0, text.length);
  let end = start;
  while (end < text.length && !isBlank(text.charCodeAt(end))) end += 1;
  const word = text.slice(start, end);
  if (word === '') return null;
  const special = SPECIAL_VALUES.get(word.toLowerCase());
  if (special !== undefined) return special;
  const value = Number(word);
  return Number.isNaN(value) ? null : value;
}

const SPECIAL_VALUES: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
]);

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Space, tab, and the carriage return that some servers put before the line feed. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** Letters, digits, underscore and colon. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x3a) || code === 0x5f
  );
}
