import { z } from 'zod';
import type { ResponseItems } from './response-items.ts';

const toolCall = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const message = z.object({
  content: z.string().nullish(),
  // The name up to vLLM 0.11 and since.
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
});

/** A chunk of a chat completion's stream; `error` stands in the place of all else (vLLM 0.28). */
export const chatChunk = z.object({
  model: z.string().nullish(),
  choices: z.array(z.object({ delta: message.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** A whole chat completion. */
export const chatCompletion = z.object({
  model: z.string().nullish(),
  choices: z.array(z.object({ message, finish_reason: z.string().nullish() })).min(1),
  usage: z.unknown().optional(),
});

/** Adds a delta, or a whole message, to the items. */
export function addMessage(items: ResponseItems, added: z.infer<typeof message>): void {
  const reasoning = added.reasoning || added.reasoning_content;
  if (reasoning) items.addText('reasoning', reasoning);
  if (added.content) items.addText('message', added.content);
  for (const [position, call] of (added.tool_calls ?? []).entries()) {
    items.addCall({
      index: call.index ?? position,
      id: call.id ?? null,
      name: call.function?.name ?? null,
      arguments: call.function?.arguments ?? '',
    });
  }
}

type Ending =
  | { readonly status: 'completed' }
  | { readonly status: 'incomplete'; readonly incompleteReason: 'max_output_tokens' | 'content_filter' }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/** What a chat completion's `finish_reason` says of the response. */
export function endingOf(finishReason: string): Ending {
  switch (finishReason) {
    case 'length':
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
    case 'content_filter':
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'abort':
    case 'error':
      return { status: 'failed', error: { code: 'server_error', message: 'The engine aborted the request.' } };
    default:
      return { status: 'completed' };
  }
}
