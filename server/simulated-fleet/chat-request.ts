import { z } from 'zod';
import { canonicalJson, encodeChat, type PromptMessage, type PromptPart } from '#lib/simulation/chat-template.ts';
import type { TokenIds } from '#lib/simulation/tokens.ts';
import { findMarkedCalls, type MarkedCall } from '#lib/simulation/tool-marker.ts';
import { badRequest } from './refusal.ts';

const contentPart = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  image_url: z.looseObject({ url: z.string() }).nullish(),
});

const toolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});

const chatMessage = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
  tool_calls: z.array(toolCall).nullish(),
});
type ChatMessage = z.infer<typeof chatMessage>;

const streamOptions = z.looseObject({
  include_usage: z.boolean().nullish(),
  continuous_usage_stats: z.boolean().nullish(),
});

/** Fields that chat and completions share. */
export const samplingFields = {
  model: z.string().nullish(),
  max_tokens: z.int().min(1).nullish(),
  min_tokens: z.int().min(0).nullish(),
  ignore_eos: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: streamOptions.nullish(),
};

type StreamFields = { stream?: boolean | null | undefined; stream_options?: object | null | undefined };

/** vLLM's own check of the pair, in its words. */
export function checkStreamOptions(body: StreamFields): void {
  if (body.stream === true || body.stream_options === null || body.stream_options === undefined) return;
  const name = 'stream_options';
  throw badRequest(`Stream options can only be defined when \`stream=True\`. (parameter=${name})`, name);
}

export const chatBody = z.looseObject({
  ...samplingFields,
  messages: z.array(chatMessage),
  max_completion_tokens: z.int().min(1).nullish(),
  tools: z.array(z.looseObject({})).nullish(),
  tool_choice: z.unknown().optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

/** The prompt of a chat request, and the calls that its last user message asks for. */
export function readChat(body: Pick<ChatBody, 'messages' | 'tools' | 'tool_choice'>): {
  prompt: TokenIds;
  calls: MarkedCall[];
} {
  const hasTools = (body.tools?.length ?? 0) > 0 && body.tool_choice !== 'none';
  const last = body.messages.findLast((message) => message.role !== 'system' && message.role !== 'developer');
  const prompt = encodeChat(body.messages.map(promptMessage), hasTools ? JSON.stringify(body.tools) : null);
  return { prompt, calls: hasTools && last?.role === 'user' ? findMarkedCalls(ownText(last)) : [] };
}

function promptMessage(message: ChatMessage): PromptMessage {
  const parts = typeof message.content === 'string' ? [textPart(message.content)] : (message.content ?? []).map(part);
  const calls = (message.tool_calls ?? []).map(
    (call): PromptPart => ({
      kind: 'tool_call',
      name: call.function.name,
      input: canonicalJson(call.function.arguments ?? '{}'),
    }),
  );
  const own = message.role === 'tool' ? parts.map(asToolResult) : parts;
  return { role: message.role, parts: [...own, ...calls] };
}

function part(content: z.infer<typeof contentPart>): PromptPart {
  if (content.image_url) return { kind: 'image', source: content.image_url.url };
  return textPart(content.text ?? JSON.stringify(content));
}

function asToolResult(content: PromptPart): PromptPart {
  return content.kind === 'text' ? { kind: 'tool_result', text: content.text } : content;
}

function textPart(text: string): PromptPart {
  return { kind: 'text', text };
}

function ownText(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((content) => content.text ?? '').join('\n');
}
