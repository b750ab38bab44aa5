import { arrayElements, type Span } from '#lib/json/top-level.ts';
import type { ApiKind } from '#lib/routing/types.ts';
import { type Field, fieldOf, objectFields, startsWith, textInside } from './object-fields.ts';

/**
 * How the first block of Claude Code's system prompt begins. What follows differs between conversations in all versions
 * that send it, and between the requests of one conversation in some (2.1.113 to 2.1.179): where an engine reads it as
 * part of the prompt, nothing behind it is found in a cache.
 */
const BILLING_HEADER = 'x-anthropic-billing-header:';

/** Begins as the original does, so that engines that drop the block go on dropping it. */
const PINNED = `${BILLING_HEADER} pinned`;

/** An edit of a body: the bytes at `span` become `replacement` (of no length: an insertion). */
export type Splice = { readonly span: Span; readonly replacement: Uint8Array };

/** Where the system prompt may stand in a body; undefined where the body has no such field. */
export type SystemSpans = { readonly messages: Span | undefined; readonly system: Span | undefined };

/**
 * The billing line of the request, as it stands between the quotes in the bytes; null where it has none. Claude Code
 * sends it as the first block of `system`; a gateway that translates to /v1/chat/completions as the beginning of the
 * first system message.
 */
export function billingLine(bytes: Uint8Array, spans: SystemSpans, api: ApiKind): Span | null {
  if (api === 'messages') return spans.system === undefined ? null : lineOfContent(bytes, spans.system);
  if (api !== 'chat' || spans.messages === undefined) return null;
  const [first] = arrayElements(bytes, spans.messages);
  if (first === undefined) return null;
  const fields = objectFields(bytes, first);
  if (!hasText(bytes, fields, 'role', 'system') && !hasText(bytes, fields, 'role', 'developer')) return null;
  const content = fieldOf(bytes, fields, 'content');
  return content === null ? null : lineOfContent(bytes, content);
}

/**
 * The edits that make the billing line the same in all requests, every other byte staying as it is. None where there is
 * no such line, or it is pinned already.
 */
export function pinBillingLine(bytes: Uint8Array, spans: SystemSpans, api: ApiKind): readonly Splice[] {
  const line = billingLine(bytes, spans, api);
  if (line === null) return [];
  const isPinned = line.end - line.start === PINNED.length && startsWith(bytes, line, PINNED);
  return isPinned ? [] : [{ span: line, replacement: new TextEncoder().encode(PINNED) }];
}

/** A copy of the bytes with the edits made. They must not overlap; their order does not matter. */
export function applySplices(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const inOrder = [...splices].sort((a, b) => a.span.start - b.span.start);
  const change = inOrder.reduce((sum, { span, replacement }) => sum + replacement.length - (span.end - span.start), 0);
  const result = new Uint8Array(bytes.length + change);
  let from = 0;
  let to = 0;
  const put = (part: Uint8Array): void => {
    result.set(part, to);
    to += part.length;
  };
  for (const { span, replacement } of inOrder) {
    put(bytes.subarray(from, span.start));
    put(replacement);
    from = span.end;
  }
  put(bytes.subarray(from));
  return result;
}

/** The billing line that a text begins with, up to its line break or its end; null where it begins otherwise. */
export function lineOfText(bytes: Uint8Array, text: Span): Span | null {
  if (!startsWith(bytes, text, BILLING_HEADER)) return null;
  for (let at = bytes.indexOf(0x5c, text.start); at !== -1 && at < text.end; at = bytes.indexOf(0x5c, at + 2)) {
    if (bytes[at + 1] === 0x6e /* \n */) return { start: text.start, end: at };
  }
  return text;
}

function lineOfContent(bytes: Uint8Array, content: Span): Span | null {
  const text = textInside(bytes, content);
  if (text !== null) return lineOfText(bytes, text);
  const [first] = arrayElements(bytes, content);
  if (first === undefined) return null;
  const fields = objectFields(bytes, first);
  const inside = hasText(bytes, fields, 'type', 'text') ? textInside(bytes, fieldOf(bytes, fields, 'text')) : null;
  return inside === null ? null : lineOfText(bytes, inside);
}

function hasText(bytes: Uint8Array, fields: readonly Field[], name: string, value: string): boolean {
  const text = textInside(bytes, fieldOf(bytes, fields, name));
  return text !== null && text.end - text.start === value.length && startsWith(bytes, text, value);
}
