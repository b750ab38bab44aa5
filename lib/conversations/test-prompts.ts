import { scanTopLevel } from '#lib/json/top-level.ts';
import type { ApiKind } from '#lib/routing/types.ts';
import { type MessageChain, readChain } from './message-chain.ts';
import type { PromptSpans } from './prompt-change.ts';

/** Bodies and their parts for this folder's tests. */
export type Message = Readonly<Record<string, unknown>>;

export function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function spansOf(body: Uint8Array, api: ApiKind): PromptSpans {
  const scan = scanTopLevel(body, ['messages', 'input', 'system', 'instructions', 'tools']);
  if (!scan.ok) throw new Error(scan.message);
  const { fields } = scan;
  return {
    messages: fields.get(api === 'responses' ? 'input' : 'messages'),
    system: fields.get(api === 'responses' ? 'instructions' : 'system'),
    tools: fields.get('tools'),
  };
}

export function chainOf(body: Uint8Array, api: ApiKind): MessageChain {
  const { messages } = spansOf(body, api);
  const chain = messages === undefined ? null : readChain(body, messages, api);
  if (chain === null) throw new Error('no messages');
  return chain;
}

/** The chain of a body with these messages, or this input. */
export function chain(messages: unknown, api: ApiKind = 'messages'): MessageChain {
  return chainOf(bytesOf(api === 'responses' ? { input: messages } : { messages }), api);
}

export function user(text: string): Message {
  return { role: 'user', content: text };
}

/** An answer that calls a tool, and the tool's result. */
export function step(name: string): Message[] {
  const content = [
    { type: 'text', text: `Now I look at ${name}, which is next.` },
    { type: 'tool_use', id: `toolu_${name}`, name: 'Read', input: { path: `/src/${name}.ts` } },
  ];
  return [
    { role: 'assistant', content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${name}`, content: `the text of ${name}` }] },
  ];
}
