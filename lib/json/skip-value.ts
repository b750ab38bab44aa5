const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** Where and why a text cannot be JSON. `at` is a byte offset. */
export class ScanError extends SyntaxError {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** The first byte at or after `from` that is not JSON white space; `bytes.length` where there is none. */
export function skipWhitespace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isWhitespace(bytes[at])) at += 1;
  return at;
}

/**
 * The offset just after the string whose opening quote is at `open`. Jumps from quote to quote and only counts the
 * backslashes before each; escapes and control characters inside are not checked. Throws a `ScanError` at the end of
 * the bytes.
 */
export function skipString(bytes: Uint8Array, open: number): number {
  let from = open + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) throw new ScanError('cut off inside a string', bytes.length);
    // The run ends at the opening quote or the quote before at the latest, so no byte is counted twice.
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/**
 * The offset just after the value that starts at `from` (not white space). Inside objects and arrays only strings and
 * matching brackets are looked at. Throws a `ScanError` where no value starts, ends or matches.
 */
export function skipValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipContainer(bytes, from);
  return skipScalar(bytes, from);
}

function skipContainer(bytes: Uint8Array, from: number): number {
  // One byte a level, so that a body of nothing but brackets costs at most its own size again.
  let closers = new Uint8Array(32);
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    // Digits, commas and colons all lie below: most of what stands between strings is passed over by one comparison.
    if (byte >= OPEN_ARRAY) {
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (depth === closers.length) closers = doubled(closers);
        // In ASCII each closing bracket is its opening one plus 2.
        closers[depth] = byte + 2;
        depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth -= 1;
        if (closers[depth] !== byte) throw new ScanError('brackets do not match', at);
        if (depth === 0) return at + 1;
      }
    }
    at += 1;
  }
  throw new ScanError('cut off inside an object or array', bytes.length);
}

function doubled(closers: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(closers.length * 2);
  larger.set(closers);
  return larger;
}

function skipScalar(bytes: Uint8Array, from: number): number {
  let end = from;
  while (end < bytes.length && !endsScalar(bytes[end])) end += 1;
  if (end === from) throw new ScanError(from < bytes.length ? 'a value is missing' : 'cut off before a value', from);
  const known = isNumberLike(bytes, from, end) || LITERALS.some((literal) => equalsAscii(bytes, from, end, literal));
  if (!known) throw new ScanError('not a JSON value', from);
  return end;
}

const LITERALS = ['true', 'false', 'null'] as const;

/** True where the bytes `start`..`end` are exactly the ASCII text. */
export function equalsAscii(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function isNumberLike(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start];
  if (first !== 0x2d && !isDigit(first)) return false;
  if (!isDigit(bytes[end - 1])) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    const allowed =
      isDigit(byte) ||
      byte === 0x2d ||
      byte === 0x2b ||
      byte === 0x2e ||
      byte === 0x65 ||
      byte === 0x45; /* - + . e E */
    if (!allowed) return false;
  }
  return true;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === 0x2c || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isWhitespace(byte);
}
