import type { Emission } from '#lib/simulation/answer.ts';
import { randomId } from './response-id.ts';

type OutputText = { type: 'output_text'; text: string; annotations: never[]; logprobs: null };
type MessageItem = {
  id: string;
  type: 'message';
  role: 'assistant';
  status: 'in_progress' | 'completed';
  content: OutputText[];
  phase: null;
};
type CallItem = {
  id: string;
  type: 'function_call';
  status: 'in_progress' | 'completed';
  call_id: string;
  name: string;
  arguments: string;
  namespace?: string;
};

type ItemListeners = {
  /** The namespace that a tool was offered in; null for a plain one. */
  readonly namespaceOf: (name: string) => string | null;
  readonly onEvent: (type: string, fields: object) => void;
};

/** The output items of a response, built from emissions, with the events that a stream tells of them. */
export class ResponseItems {
  readonly output: (MessageItem | CallItem)[] = [];
  private readonly listeners: ItemListeners;
  private open: MessageItem | CallItem | null = null;

  constructor(listeners: ItemListeners) {
    this.listeners = listeners;
  }

  add(emission: Emission): void {
    switch (emission.kind) {
      case 'text':
        this.addText(emission.text);
        return;
      case 'call':
        this.startCall(emission.name);
        return;
      case 'input':
        this.addInput(emission.text);
    }
  }

  /** Ends the item under way. */
  close(): void {
    const { open } = this;
    this.open = null;
    if (open === null) return;
    open.status = 'completed';
    if (open.type === 'message') this.closeText(open);
    else
      this.event('response.function_call_arguments.done', {
        item_id: open.id,
        arguments: open.arguments,
        name: open.name,
      });
    this.event('response.output_item.done', { item: open });
  }

  private addText(text: string): void {
    const message = this.open?.type === 'message' ? this.open : this.startMessage();
    const part = message.content[0];
    if (part === undefined) return;
    part.text += text;
    this.event('response.output_text.delta', { item_id: message.id, content_index: 0, delta: text, logprobs: [] });
  }

  private startMessage(): MessageItem {
    const message: MessageItem = {
      id: `msg_${randomId()}`,
      type: 'message',
      role: 'assistant',
      status: 'in_progress',
      content: [],
      phase: null,
    };
    this.start(message);
    const part: OutputText = { type: 'output_text', text: '', annotations: [], logprobs: null };
    message.content.push(part);
    this.event('response.content_part.added', {
      item_id: message.id,
      content_index: 0,
      part: { ...part, logprobs: [] },
    });
    return message;
  }

  private closeText(message: MessageItem): void {
    const part = message.content[0];
    if (part === undefined) return;
    const place = { item_id: message.id, content_index: 0 };
    this.event('response.output_text.done', { ...place, text: part.text, logprobs: [] });
    this.event('response.content_part.done', { ...place, part });
  }

  private startCall(name: string): void {
    const namespace = this.listeners.namespaceOf(name);
    this.start({
      id: `fc_${randomId()}`,
      type: 'function_call',
      status: 'in_progress',
      call_id: `call_${randomId()}`,
      name,
      arguments: '',
      ...(namespace === null ? {} : { namespace }),
    });
  }

  private addInput(text: string): void {
    const { open } = this;
    if (open?.type !== 'function_call') return;
    open.arguments += text;
    this.event('response.function_call_arguments.delta', { item_id: open.id, delta: text });
  }

  private start(item: MessageItem | CallItem): void {
    this.close();
    this.open = item;
    this.output.push(item);
    this.event('response.output_item.added', { item });
  }

  private event(type: string, fields: object): void {
    this.listeners.onEvent(type, { output_index: this.output.length - 1, ...fields });
  }
}
