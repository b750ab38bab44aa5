import { equalsAscii, ScanError, skipString, skipValue, skipWhitespace } from '#lib/json/skip-value.ts';
import type { Span } from '#lib/json/top-level.ts';

/** A field of a JSON object; `key` is without its quotes, as it stands in the bytes. */
export type Field = { readonly key: Span; readonly value: Span };

/** Reads the value that begins at `from` and returns where it ends. */
type ReadValue = (key: Span, from: number) => number;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The fields of the object at `span`, in order; none where the value is not an object, or not JSON: the engine will
 * refuse such a body.
 */
export function objectFields(bytes: Uint8Array, span: Span): readonly Field[] {
  if (bytes[span.start] !== OPEN_OBJECT) return [];
  try {
    const fields: Field[] = [];
    readFields(bytes, span.start, fields, (_key, from) => skipValue(bytes, from));
    return fields;
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}

/**
 * Appends the fields of the object whose brace is at `open`, each value being read by `readValue` on the way, and
 * returns where the object ends. Throws a ScanError where it is not JSON.
 */
export function readFields(bytes: Uint8Array, open: number, into: Field[], readValue: ReadValue): number {
  let at = skipWhitespace(bytes, open + 1);
  while (bytes[at] === QUOTE) {
    const keyEnd = skipString(bytes, at);
    const key = { start: at + 1, end: keyEnd - 1 };
    const colon = skipWhitespace(bytes, keyEnd);
    if (bytes[colon] !== COLON) throw new ScanError('expected a colon after the key', colon);
    const start = skipWhitespace(bytes, colon + 1);
    const end = readValue(key, start);
    into.push({ key, value: { start, end } });
    at = skipWhitespace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipWhitespace(bytes, at + 1);
  }
  if (bytes[at] !== CLOSE_OBJECT) throw new ScanError('expected a key or the closing brace', at);
  return at + 1;
}

/** The value of the field called `name`; of a name given twice the last, as for JSON.parse. Null where there is none. */
export function fieldOf(bytes: Uint8Array, fields: readonly Field[], name: string): Span | null {
  return fields.findLast(({ key }) => equalsAscii(bytes, key.start, key.end, name))?.value ?? null;
}

/** The bytes between the quotes of the JSON string at `span`; null where the value is not a string. */
export function textInside(bytes: Uint8Array, span: Span | null): Span | null {
  return span !== null && bytes[span.start] === QUOTE ? { start: span.start + 1, end: span.end - 1 } : null;
}

/** True where the text at `span` begins with the ASCII text `start`. */
export function startsWith(bytes: Uint8Array, span: Span, start: string): boolean {
  return span.end - span.start >= start.length && equalsAscii(bytes, span.start, span.start + start.length, start);
}
