import { skipWhitespace } from '#lib/json/skip-value.ts';
import { type Span, scanTopLevel } from '#lib/json/top-level.ts';

const FIELD = 'data:';
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** No usage chunk is longer: vLLM's has some 300 bytes. */
const MAX_BYTES = 16 * 1024;

const decoder = new TextDecoder('latin1');

/**
 * True for the line of a chat or completion stream that carries nothing but usage: `data: {…,"choices":[],…,
 * "usage":{…}}`, without its line end. A chunk with no choices and no usage is another matter: some engines send one
 * first, with what their content filter says of the prompt.
 */
export function isUsageChunk(line: Uint8Array): boolean {
  if (line.length > MAX_BYTES || !startsWithField(line)) return false;
  const json = line.subarray(FIELD.length);
  const scan = scanTopLevel(json, ['choices', 'usage']);
  if (!scan.ok) return false;
  return isEmptyArray(json, scan.fields.get('choices')) && isObject(json, scan.fields.get('usage'));
}

/**
 * True as long as the beginning of a line may still turn out to be a usage chunk; false from the first bytes that rule
 * it out, so that such a line need not be held back until it is complete. Inside a JSON string the quotes of
 * `"choices"` would be escaped, so this cannot be misled by what the model says.
 */
export function mayBeUsageChunk(beginning: Uint8Array): boolean {
  if (beginning.length > MAX_BYTES) return false;
  const text = decoder.decode(beginning);
  if (text.length <= FIELD.length) return FIELD.startsWith(text);
  return /^data:\s*(?:\{|$)/.test(text) && !/"choices"\s*:\s*(?:[^[\s]|\[\s*[^\]\s])/.test(text);
}

function startsWithField(line: Uint8Array): boolean {
  for (let at = 0; at < FIELD.length; at += 1) if (line[at] !== FIELD.charCodeAt(at)) return false;
  return true;
}

function isEmptyArray(json: Uint8Array, span: Span | undefined): boolean {
  return (
    span !== undefined && json[span.start] === OPEN_ARRAY && json[skipWhitespace(json, span.start + 1)] === CLOSE_ARRAY
  );
}

function isObject(json: Uint8Array, span: Span | undefined): boolean {
  return span !== undefined && json[span.start] === OPEN_OBJECT;
}
