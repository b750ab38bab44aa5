import { encodeText, MARKS } from './tokenizer.ts';
import { TokenBuffer, type TokenIds } from './tokens.ts';

export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `input`: JSON text, see `canonicalJson`. */
  | { readonly kind: 'tool_call'; readonly name: string; readonly input: string }
  | { readonly kind: 'tool_result'; readonly text: string }
  | { readonly kind: 'image'; readonly source: string };

export type PromptMessage = { readonly role: string; readonly parts: readonly PromptPart[] };

/** Tokens of any image: about what a vision encoder makes of a screenshot. */
const IMAGE_TOKENS = 256;

/**
 * The prompt of a conversation, ready for the assistant's answer. Each message is encoded on its own, so the ids of a
 * longer conversation begin with those of the shorter one, and an answer that comes back as the last assistant message
 * encodes to the ids that were generated. `tools` stands first, as in Qwen's template; null where there are none.
 */
export function encodeChat(messages: readonly PromptMessage[], tools: string | null): TokenIds {
  const buffer = new TokenBuffer();
  if (tools !== null) {
    buffer.push(MARKS.tools);
    encodeText(tools, buffer);
    buffer.push(MARKS.newline);
  }
  for (const message of messages) {
    startMessage(message.role, buffer);
    for (const part of message.parts) encodePart(part, buffer);
    buffer.push(MARKS.messageEnd);
    buffer.push(MARKS.newline);
  }
  startMessage('assistant', buffer);
  return buffer.toTokenIds();
}

/** Appends one part of a message; the parts of a generated answer are encoded by this too. */
export function encodePart(part: PromptPart, into: TokenBuffer): void {
  switch (part.kind) {
    case 'text':
      encodeText(part.text, into);
      return;
    case 'tool_call':
      into.push(MARKS.toolCall);
      encodeText(part.name, into);
      into.push(MARKS.newline);
      encodeText(part.input, into);
      into.push(MARKS.toolCallEnd);
      return;
    case 'tool_result':
      into.push(MARKS.toolResult);
      encodeText(part.text, into);
      return;
    case 'image':
      encodeImage(part.source, into);
  }
}

/** JSON text in one spelling, so that a client which re-serialises a tool call's input does not change its tokens. */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // Not JSON: the model wrote it so, and it comes back so.
    return text;
  }
}

function startMessage(role: string, into: TokenBuffer): void {
  into.push(MARKS.messageStart);
  encodeText(role, into);
  into.push(MARKS.newline);
}

function encodeImage(source: string, into: TokenBuffer): void {
  let hash = source.length;
  for (let index = 0; index < source.length; index++) hash = Math.imul(hash ^ source.charCodeAt(index), 0x01000193);
  into.push(MARKS.image);
  for (let index = 1; index < IMAGE_TOKENS; index++) into.push((hash + index) >>> 4);
}
