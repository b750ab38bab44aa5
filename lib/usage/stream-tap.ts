import { NO_USAGE, readStreamEvent, type Usage } from './usage.ts';

/** A line longer than this is not looked into: no event that carries usage is that long. */
const MAX_LINE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Every event that matters has one of them. */
const TELLING = ['"usage"', '"error"', 'response.failed', '"abort"'];

/** One for all: making a decoder costs more than most lines do. */
const decoder = new TextDecoder();

export type StreamTap = {
  /** Sees a chunk of the body pass; never changes it. */
  chunk(bytes: Uint8Array): void;
  result(): { readonly usage: Usage; readonly sawError: boolean };
};

/**
 * Watches an event stream for usage and for errors. Only lines that can matter are decoded: almost every chunk of an
 * agent's stream is a delta, and looking for a few words in its bytes is all that it costs.
 */
export function createStreamTap(): StreamTap {
  let carry: Uint8Array[] = [];
  let carriedBytes = 0;
  let usage: Usage = NO_USAGE;
  let sawError = false;

  const line = (bytes: Uint8Array): void => {
    if (!startsWithData(bytes)) return;
    const text = decoder.decode(bytes);
    if (!TELLING.some((word) => text.includes(word))) return;
    const event = parseJson(text.slice('data:'.length));
    const seen = readStreamEvent(event);
    if (seen.usage !== null) usage = merge(usage, seen.usage);
    if (seen.isError) sawError = true;
  };

  const keep = (bytes: Uint8Array): void => {
    carriedBytes += bytes.length;
    if (carriedBytes <= MAX_LINE_BYTES) carry.push(bytes);
    else carry = [];
  };

  return {
    chunk(bytes) {
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const rest = bytes.subarray(start, end);
        if (carriedBytes === 0) {
          line(rest);
        } else {
          keep(rest);
          if (carriedBytes <= MAX_LINE_BYTES) line(concat(carry));
          carry = [];
          carriedBytes = 0;
        }
        start = end + 1;
      }
      if (start < bytes.length) keep(bytes.subarray(start));
    },
    result: () => ({ usage, sawError }),
  };
}

/** Later events know more: `message_delta` corrects `message_start`; a field the later one lacks is kept. */
function merge(before: Usage, after: Usage): Usage {
  return {
    promptTokens: after.promptTokens ?? before.promptTokens,
    cachedTokens: after.cachedTokens ?? before.cachedTokens,
    completionTokens: after.completionTokens ?? before.completionTokens,
  };
}

function startsWithData(bytes: Uint8Array): boolean {
  return bytes[0] === 0x64 && bytes[1] === 0x61 && bytes[2] === 0x74 && bytes[3] === 0x61 && bytes[4] === 0x3a;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** `[DONE]` and half events are no JSON and say nothing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
