/**
 * Text that a client itself puts in front of the user's words, equal for all conversations in one directory (Codex).
 * A key made of it would bring them all to one replica.
 */
const PREAMBLE = /^\s*(?:<environment_context>|<user_instructions>|# AGENTS\.md instructions)/;

/**
 * The text of the first user message, which identifies a conversation whose client sends no id: it is resent with
 * every turn, while the system prompt is the same for all conversations of a client. `messages` is the `messages` or
 * `input` of any API: a string, or an iterable of parsed items, read no further than needed. A client's preamble is
 * used only where nothing follows it. Null where there is no user's text.
 */
export function firstUserMessage(messages: unknown): string | null {
  if (typeof messages === 'string') return messages.trim() === '' ? null : messages;
  if (!isIterable(messages)) return null;
  let preamble: string | null = null;
  for (const item of messages) {
    const text = userText(item);
    if (text === null) continue;
    if (!PREAMBLE.test(text)) return text;
    preamble ??= text;
  }
  return preamble;
}

function userText(item: unknown): string | null {
  if (!isRecord(item) || item.role !== 'user') return null;
  if (item.type !== undefined && item.type !== 'message') return null;
  const text = contentText(item.content);
  return text.trim() === '' ? null : text;
}

/** Claude Code sends the same message as blocks on one turn and as a string on the next: both give the same text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => {
      if (typeof block === 'string') return block;
      const isText = isRecord(block) && (block.type === 'text' || block.type === 'input_text');
      return isText && typeof block.text === 'string' ? block.text : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return isRecord(value) && typeof Reflect.get(value, Symbol.iterator) === 'function';
}
