import { z } from 'zod';
import { encodeChat, type PromptMessage, type PromptPart } from '#lib/simulation/chat-template.ts';
import type { TokenIds } from '#lib/simulation/tokens.ts';
import { findMarkedCalls, type MarkedCall } from '#lib/simulation/tool-marker.ts';

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageBlock = z.looseObject({ type: z.literal('image'), source: z.looseObject({}) });
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]).nullish(),
});
const block = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  toolResult,
  z.looseObject({ type: z.literal('tool_use'), name: z.string(), input: z.unknown().optional() }),
  z.looseObject({ type: z.literal('tool_reference') }),
  z.looseObject({ type: z.literal('thinking') }),
  z.looseObject({ type: z.literal('redacted_thinking') }),
]);

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(block)]),
});
type Message = z.infer<typeof message>;

const conversation = {
  model: z.string(),
  messages: z.array(message),
  system: z.union([z.string(), z.array(textBlock)]).nullish(),
  tools: z.array(z.looseObject({})).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
};

export const countTokensBody = z.looseObject(conversation);

export const messagesBody = z.looseObject({
  ...conversation,
  max_tokens: z.int().min(1),
  stream: z.boolean().nullish(),
});

/** vLLM drops a system block that starts so: Claude Code changes it with every request or conversation. */
const BILLING_HEADER = 'x-anthropic-billing-header';

/** The prompt of a messages request, and the calls that its last user message asks for. */
export function readMessages(body: z.infer<typeof countTokensBody>): { prompt: TokenIds; calls: MarkedCall[] } {
  const hasTools = (body.tools?.length ?? 0) > 0 && body.tool_choice?.type !== 'none';
  const system = systemText(body.system ?? '');
  const messages = body.messages.map(promptMessage).filter((entry) => entry.parts.length > 0);
  if (system !== '') messages.unshift({ role: 'system', parts: [{ kind: 'text', text: system }] });
  const last = body.messages.findLast((entry) => entry.role !== 'system');
  return {
    prompt: encodeChat(messages, hasTools ? JSON.stringify(body.tools) : null),
    calls: hasTools && last?.role === 'user' ? findMarkedCalls(ownText(last)) : [],
  };
}

/** Blocks are joined without a separator. */
function systemText(system: string | readonly { text: string }[]): string {
  const texts = typeof system === 'string' ? [system] : system.map((entry) => entry.text);
  return texts.filter((text) => !text.startsWith(BILLING_HEADER)).join('');
}

/** System messages stay where they stand in the conversation, so that a later one leaves the prefix alone. */
function promptMessage(entry: Message): PromptMessage {
  if (entry.role === 'system') {
    const texts =
      typeof entry.content === 'string'
        ? entry.content
        : entry.content.flatMap((content) => (content.type === 'text' ? [content] : []));
    const text = systemText(texts);
    return { role: 'system', parts: text === '' ? [] : [{ kind: 'text', text }] };
  }
  if (typeof entry.content === 'string') return { role: entry.role, parts: [{ kind: 'text', text: entry.content }] };
  return { role: entry.role, parts: entry.content.flatMap(promptParts) };
}

function promptParts(content: z.infer<typeof block>): PromptPart[] {
  switch (content.type) {
    case 'text':
      return [{ kind: 'text', text: content.text }];
    case 'image':
      return [{ kind: 'image', source: JSON.stringify(content.source) }];
    case 'tool_use':
      return [{ kind: 'tool_call', name: content.name, input: JSON.stringify(content.input ?? {}) }];
    case 'tool_result':
      return [{ kind: 'tool_result', text: resultText(content) }];
    case 'tool_reference':
    // The template of an instruct model leaves out what was thought.
    case 'thinking':
    case 'redacted_thinking':
      return [];
  }
}

function resultText(result: z.infer<typeof toolResult>): string {
  if (typeof result.content === 'string') return result.content;
  return (result.content ?? []).map((content) => content.text ?? '').join('\n');
}

/** What the person wrote; nothing where the message brings tool results. */
function ownText(entry: Message): string {
  if (typeof entry.content === 'string') return entry.content;
  if (entry.content.some((content) => content.type === 'tool_result')) return '';
  return entry.content.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n');
}
