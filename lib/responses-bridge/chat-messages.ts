import { CUSTOM_INPUT, flatName } from './offered-tools.ts';
import type { InputContent, InputItem, InputPart, ResponsesRequest } from './request-schema.ts';

type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string } };
type ChatContent = string | readonly ChatPart[];

type ChatCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
};

type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: ChatContent }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: ChatContent }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly reasoning?: string;
      readonly tool_calls?: readonly ChatCall[];
    };

/**
 * The conversation of a responses request as chat messages, as vLLM puts it together for that API: the instructions
 * first, then each item in its place, and what belongs to one answer of the model (its reasoning, text and calls) in
 * one message. A conversation that has grown by a turn begins with the same messages, so that the engine finds the
 * prefix it has in its cache.
 */
export function chatMessages({ instructions, input }: ResponsesRequest): ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (instructions) messages.push({ role: 'system', content: instructions });
  const items: readonly InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  let answer = new AnswerMessage();
  for (const item of items) {
    const own = ownPart(item);
    if (own !== null && answer.takes(own)) {
      answer.add(own);
      continue;
    }
    messages.push(...answer.messages());
    answer = new AnswerMessage();
    if (own !== null) answer.add(own);
    else messages.push(...othersMessage(item));
  }
  return withOneOpening([...messages, ...answer.messages()]);
}

/**
 * Makes one message of the system messages that a conversation opens with: Codex sends two, and the templates of Qwen
 * 3.5 and later refuse every system message but the first. One that comes later stays where it is, since anywhere else
 * it would change the prefix of all that follows.
 */
function withOneOpening(messages: readonly ChatMessage[]): ChatMessage[] {
  const rest = messages.findIndex(({ role }) => role !== 'system');
  const opening = rest < 0 ? messages : messages.slice(0, rest);
  const texts = opening.map(({ content }) => (content === null ? null : wholeText(content)));
  if (opening.length === 0 || texts.includes(null)) return [...messages];
  return [{ role: 'system', content: texts.join('\n\n') }, ...messages.slice(opening.length)];
}

/** Null where there is more than text. Between parts stands what vLLM puts there for templates that take no parts. */
function wholeText(content: ChatContent): string | null {
  if (typeof content === 'string') return content;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : null;
}

/** What one item adds to an answer of the model. */
type OwnPart =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ChatCall };

/** Null for an item that the model did not write. */
function ownPart(item: InputItem): OwnPart | null {
  switch (item.type) {
    case 'reasoning':
      // Only what the model of this engine thought can be given back to it: summaries are another model's words, and
      // encrypted reasoning cannot be read.
      return { kind: 'reasoning', text: (item.content ?? []).map(({ text }) => text).join('\n') };
    case 'function_call':
      return { kind: 'call', call: chatCall(item, item.arguments) };
    case 'custom_tool_call':
      return { kind: 'call', call: chatCall(item, JSON.stringify({ [CUSTOM_INPUT]: item.input })) };
    case 'message':
    case undefined:
      return item.role === 'assistant' ? { kind: 'text', text: plainText(item.content) } : null;
    default:
      return null;
  }
}

function othersMessage(item: InputItem): ChatMessage[] {
  switch (item.type) {
    case 'message':
    case undefined:
      return [{ role: item.role === 'user' ? 'user' : 'system', content: chatContent(item.content) }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', tool_call_id: item.call_id, content: chatContent(item.output) }];
    default:
      return [];
  }
}

/** An assistant message that is being put together. */
class AnswerMessage {
  private reasoning = '';
  private text: string | null = null;
  private readonly calls: ChatCall[] = [];

  /** False where the part begins the next message: the order in a message is reasoning, text, calls. */
  takes(part: OwnPart): boolean {
    if (part.kind === 'reasoning') return part.text === '' || this.isEmpty;
    // Text after calls stays with them, so that nothing stands between the calls and their results.
    return part.kind === 'call' || this.text === null || this.calls.length > 0;
  }

  add(part: OwnPart): void {
    if (part.kind === 'reasoning') this.reasoning += part.text;
    else if (part.kind === 'text') this.text = (this.text ?? '') + part.text;
    else this.calls.push(part.call);
  }

  private get isEmpty(): boolean {
    return this.reasoning === '' && this.text === null && this.calls.length === 0;
  }

  /** One message, or none where nothing was added. */
  messages(): ChatMessage[] {
    const { reasoning, text, calls } = this;
    if (this.isEmpty) return [];
    return [
      {
        role: 'assistant',
        content: text ?? (calls.length > 0 ? null : ''),
        ...(reasoning ? { reasoning } : {}),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      },
    ];
  }
}

type NamedCall = { readonly call_id: string; readonly name: string; readonly namespace?: string | null | undefined };

function chatCall(item: NamedCall, input: string): ChatCall {
  const name = flatName(item.namespace, item.name);
  return { id: item.call_id, type: 'function', function: { name, arguments: input } };
}

function chatContent(content: InputContent): ChatContent {
  return typeof content === 'string' ? content : content.map(chatPart);
}

function chatPart(part: InputPart): ChatPart {
  if (part.type !== 'input_image') return { type: 'text', text: partText(part) };
  const { image_url: url, detail } = part;
  const isKnown = detail === 'auto' || detail === 'low' || detail === 'high';
  return { type: 'image_url', image_url: isKnown ? { url, detail } : { url } };
}

/** An answer's text came as one piece, so nothing is put between its parts. */
function plainText(content: InputContent): string {
  return typeof content === 'string' ? content : content.map(partText).join('');
}

function partText(part: InputPart): string {
  switch (part.type) {
    case 'refusal':
      return part.refusal;
    case 'input_image':
      return '';
    default:
      return part.text;
  }
}
