import { parseSpan, type Span, scanTopLevel } from '#lib/json/top-level.ts';
import type { StreamTap } from './stream-tap.ts';
import { isGivenUp, NO_USAGE, readUsage } from './usage.ts';

/** Answers larger than this (large batches of embeddings) are not looked into and count as not measured. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Watches a JSON answer pass and reads its `usage`, and why it ended, when it is complete. */
export function createBodyTap(): StreamTap {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    chunk(bytes) {
      size += bytes.length;
      if (size <= MAX_BODY_BYTES) parts.push(bytes);
      else parts = [];
    },
    result: () => (size <= MAX_BODY_BYTES ? readBody(parts, size) : { usage: NO_USAGE, sawError: false }),
  };
}

function readBody(parts: readonly Uint8Array[], size: number): ReturnType<StreamTap['result']> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  const scan = scanTopLevel(whole, ['usage', 'choices', 'stop_reason']);
  if (!scan.ok) return { usage: NO_USAGE, sawError: false };
  const field = (name: string): unknown => {
    const span = scan.fields.get(name);
    return span === undefined ? undefined : valueAt(whole, span);
  };
  return {
    usage: readUsage(field('usage')) ?? NO_USAGE,
    sawError: isGivenUp(field('choices'), field('stop_reason')),
  };
}

/** Undefined where the engine's own answer is not JSON there: the client gets it as it is, and we know nothing. */
function valueAt(body: Uint8Array, span: Span): unknown {
  try {
    return parseSpan(body, span);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
