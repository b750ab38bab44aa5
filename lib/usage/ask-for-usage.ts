import { skipWhitespace } from '#lib/json/skip-value.ts';
import { parseSpan, type Span, scanTopLevel } from '#lib/json/top-level.ts';

/** Put `text` in the place of the bytes `start`..`end`; the two are equal where it is only put in. */
export type Edit = Span & { readonly text: string };

const INCLUDE_USAGE = '"include_usage":true';
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The change that makes the engine add usage to the stream of a chat completion or completion (`stream_options`, vLLM
 * and OpenAI). Null where the body does not ask for a stream, asks for usage itself, or has options that are left to
 * the engine. `fields`: the body's top level, with `stream` and `stream_options` among the wanted.
 */
export function askForUsage(body: Uint8Array, fields: ReadonlyMap<string, Span>): Edit | null {
  const stream = fields.get('stream');
  if (stream === undefined || valueAt(body, stream) !== true) return null;
  const options = fields.get('stream_options');
  if (options === undefined) {
    return { start: stream.end, end: stream.end, text: `,"stream_options":{${INCLUDE_USAGE}}` };
  }
  if (body[options.start] === OPEN_OBJECT) return editOptions(body, options);
  return valueAt(body, options) === null ? { ...options, text: `{${INCLUDE_USAGE}}` } : null;
}

function editOptions(body: Uint8Array, options: Span): Edit | null {
  const inner = body.subarray(options.start, options.end);
  const scan = scanTopLevel(inner, ['include_usage', 'continuous_usage_stats']);
  if (!scan.ok) return null;
  const continuous = scan.fields.get('continuous_usage_stats');
  // Without include_usage vLLM ignores this one; asking for usage would bring it to life in every chunk.
  if (continuous !== undefined && valueAt(inner, continuous) !== false) return null;
  const asked = scan.fields.get('include_usage');
  if (asked === undefined) {
    const at = options.start + 1;
    const isEmpty = inner[skipWhitespace(inner, 1)] === CLOSE_OBJECT;
    return { start: at, end: at, text: isEmpty ? INCLUDE_USAGE : `${INCLUDE_USAGE},` };
  }
  const value = valueAt(inner, asked);
  if (value !== false && value !== null) return null;
  return { start: options.start + asked.start, end: options.start + asked.end, text: 'true' };
}

/** Undefined where the value is not JSON after all: the engine says so better than we could. */
function valueAt(bytes: Uint8Array, span: Span): unknown {
  try {
    return parseSpan(bytes, span);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
