import { parseSpan, scanTopLevel } from '#lib/json/top-level.ts';
import type { StreamTap } from './stream-tap.ts';
import { NO_USAGE, readUsage, type Usage } from './usage.ts';

/** Answers larger than this (large batches of embeddings) are not looked into and count as not measured. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Watches a JSON answer pass and reads its top-level `usage` when it is complete, without parsing the rest. */
export function createBodyTap(): StreamTap {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    chunk(bytes) {
      size += bytes.length;
      if (size <= MAX_BODY_BYTES) parts.push(bytes);
      else parts = [];
    },
    result: () => ({ usage: size <= MAX_BODY_BYTES ? usageOf(parts, size) : NO_USAGE, sawError: false }),
  };
}

function usageOf(parts: readonly Uint8Array[], size: number): Usage {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  const scan = scanTopLevel(whole, ['usage']);
  const span = scan.ok ? scan.fields.get('usage') : undefined;
  if (span === undefined) return NO_USAGE;
  try {
    return readUsage(parseSpan(whole, span)) ?? NO_USAGE;
  } catch (error) {
    // The engine's own answer is not JSON there; the client gets it as it is, and we have no count.
    if (error instanceof SyntaxError) return NO_USAGE;
    throw error;
  }
}
