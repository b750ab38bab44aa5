import { equalsAscii, ScanError, skipString, skipValue, skipWhitespace } from './skip-value.ts';

/** Byte offsets of one value: `start` is its first byte, `end` the one after its last. */
export type Span = { readonly start: number; readonly end: number };

/** `fields` holds the wanted fields that were found; `at` is the byte offset of the fault. */
type TopLevel =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, Span> }
  | { readonly ok: false; readonly message: string; readonly at: number };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Finds fields of a JSON object's top level in one pass, without building it: agents send bodies of up to 2 MB on
 * every turn. Of a key given twice the last one counts, as for JSON.parse. The top level is checked; inside nested
 * values only strings and matching brackets are, so `parseSpan` may still throw on a value found here. For a nested
 * object's fields, scan `bytes.subarray(span.start, span.end)`.
 */
export function scanTopLevel(bytes: Uint8Array, wanted: readonly string[]): TopLevel {
  try {
    return { ok: true, fields: scanObject(bytes, wanted) };
  } catch (error) {
    if (error instanceof ScanError) return { ok: false, message: error.message, at: error.at };
    throw error;
  }
}

/**
 * The elements of the array at `span`, found as they are asked for; none where the value is not an array. Ends early
 * at the first place that is not JSON.
 */
export function* arrayElements(bytes: Uint8Array, span: Span): Generator<Span, void, undefined> {
  if (bytes[span.start] !== OPEN_ARRAY) return;
  let at = skipWhitespace(bytes, span.start + 1);
  while (at < span.end && bytes[at] !== CLOSE_ARRAY) {
    const end = valueEnd(bytes, at);
    if (end === null) return;
    yield { start: at, end };
    at = skipWhitespace(bytes, end);
    if (bytes[at] !== COMMA) return;
    at = skipWhitespace(bytes, at + 1);
  }
}

/** The number of elements of the array at `span`; 0 where the value is not an array. */
export function arrayLength(bytes: Uint8Array, span: Span): number {
  let count = 0;
  for (const _element of arrayElements(bytes, span)) count += 1;
  return count;
}

/** JSON.parse of one value; throws a SyntaxError where the scan let something pass that is not JSON. */
export function parseSpan(bytes: Uint8Array, span: Span): unknown {
  return JSON.parse(decoder.decode(bytes.subarray(span.start, span.end)));
}

function scanObject(bytes: Uint8Array, wanted: readonly string[]): Map<string, Span> {
  const fields = new Map<string, Span>();
  let at = openingBrace(bytes) + 1;
  at = skipWhitespace(bytes, at);
  if (bytes[at] === CLOSE_OBJECT) {
    expectEnd(bytes, at + 1);
    return fields;
  }
  for (;;) {
    expect(bytes, at, QUOTE, 'a key in quotes');
    const key = { start: at, end: skipString(bytes, at) };
    at = skipWhitespace(bytes, key.end);
    expect(bytes, at, COLON, 'a colon after the key');
    const start = skipWhitespace(bytes, at + 1);
    const end = skipValue(bytes, start);
    const name = wantedName(bytes, key, wanted);
    if (name !== null) fields.set(name, { start, end });
    at = skipWhitespace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) break;
    expect(bytes, at, COMMA, 'a comma or the closing brace');
    at = skipWhitespace(bytes, at + 1);
  }
  expectEnd(bytes, at + 1);
  return fields;
}

function openingBrace(bytes: Uint8Array): number {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const at = skipWhitespace(bytes, hasByteOrderMark ? 3 : 0);
  if (at >= bytes.length) throw new ScanError('empty', at);
  if (bytes[at] !== OPEN_OBJECT) throw new ScanError('not a JSON object', at);
  return at;
}

function expect(bytes: Uint8Array, at: number, byte: number, what: string): void {
  if (bytes[at] === byte) return;
  throw new ScanError(at < bytes.length ? `expected ${what}` : `cut off: expected ${what}`, at);
}

function expectEnd(bytes: Uint8Array, from: number): void {
  const at = skipWhitespace(bytes, from);
  if (at < bytes.length) throw new ScanError('something follows the closing brace', at);
}

function wantedName(bytes: Uint8Array, key: Span, wanted: readonly string[]): string | null {
  if (isPlainAscii(bytes, key)) {
    return wanted.find((name) => equalsAscii(bytes, key.start + 1, key.end - 1, name)) ?? null;
  }
  try {
    const name = parseSpan(bytes, key);
    return wanted.find((candidate) => candidate === name) ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ScanError('a key is not a JSON string', key.start);
    throw error;
  }
}

function isPlainAscii(bytes: Uint8Array, key: Span): boolean {
  for (let at = key.start; at < key.end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 || byte === BACKSLASH) return false;
  }
  return true;
}

function valueEnd(bytes: Uint8Array, from: number): number | null {
  try {
    return skipValue(bytes, from);
  } catch (error) {
    if (error instanceof ScanError) return null;
    throw error;
  }
}
