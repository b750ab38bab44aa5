import { z } from 'zod';
import { canonicalJson, encodeChat, type PromptMessage, type PromptPart } from '#lib/simulation/chat-template.ts';
import type { TokenIds } from '#lib/simulation/tokens.ts';
import { findMarkedCalls, type MarkedCall } from '#lib/simulation/tool-marker.ts';

const contentPart = z.looseObject({ type: z.string(), text: z.string().nullish(), image_url: z.string().nullish() });
const item = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
  output: z.union([z.string(), z.array(contentPart)]).nullish(),
});
type Item = z.infer<typeof item>;

const tool = z.looseObject({
  type: z.string(),
  name: z.string().nullish(),
  tools: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
});

export const responsesBody = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  instructions: z.string().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
});
export type ResponsesBody = z.infer<typeof responsesBody>;

/** The prompt of a responses request, and the calls that its last user message asks for. */
export function readResponses(body: ResponsesBody): { prompt: TokenIds; calls: MarkedCall[] } {
  const hasTools = (body.tools?.length ?? 0) > 0 && body.tool_choice !== 'none';
  const items: readonly Item[] =
    typeof body.input === 'string' ? [{ type: 'message', role: 'user', content: body.input }] : body.input;
  const messages: PromptMessage[] = [];
  if (body.instructions) messages.push({ role: 'system', parts: [{ kind: 'text', text: body.instructions }] });
  for (const message of items.flatMap(promptMessage)) {
    const before = messages.at(-1);
    // A turn's text and calls are items of their own here, but one message of the model.
    if (message.role === 'assistant' && before?.role === 'assistant') {
      messages.splice(-1, 1, { role: 'assistant', parts: [...before.parts, ...message.parts] });
    } else {
      messages.push(message);
    }
  }
  const last = items.findLast((entry) => entry.role !== 'system' && entry.role !== 'developer');
  return {
    prompt: encodeChat(messages, hasTools ? JSON.stringify(body.tools) : null),
    calls: hasTools && last?.role === 'user' ? findMarkedCalls(plainText(last.content)) : [],
  };
}

/** The namespace that a tool of this name is offered in; null for a plain one. */
export function toolNamespace(body: ResponsesBody, name: string): string | null {
  const holder = (body.tools ?? []).find((entry) => entry.tools?.some((inner) => inner.name === name));
  return holder?.name ?? null;
}

function promptMessage(entry: Item): PromptMessage[] {
  switch (entry.type ?? 'message') {
    case 'message':
      return [{ role: entry.role ?? 'user', parts: contentParts(entry.content) }];
    case 'function_call': {
      const input = canonicalJson(entry.arguments ?? '{}');
      return [{ role: 'assistant', parts: [{ kind: 'tool_call', name: entry.name ?? '', input }] }];
    }
    case 'function_call_output':
      return [{ role: 'tool', parts: [{ kind: 'tool_result', text: plainText(entry.output) }] }];
    // What was thought is left out of the next prompt.
    case 'reasoning':
      return [];
    default:
      return [{ role: 'tool', parts: [{ kind: 'text', text: JSON.stringify(entry) }] }];
  }
}

function contentParts(content: Item['content']): PromptPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return (content ?? []).map((part) =>
    part.image_url ? { kind: 'image', source: part.image_url } : { kind: 'text', text: part.text ?? '' },
  );
}

function plainText(content: Item['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}
