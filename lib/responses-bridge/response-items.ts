import { CustomInput } from './custom-input.ts';
import { calledTool, type OfferedTool, type OfferedTools } from './offered-tools.ts';
import type { CallItem, CustomItem, OutputItem, Part, Status, TextItem } from './output-item.ts';

type Open =
  | { readonly kind: 'message' | 'reasoning'; readonly item: TextItem; readonly part: Part }
  | { readonly kind: 'call'; readonly index: number; readonly item: CallItem }
  | { readonly kind: 'custom'; readonly index: number; readonly item: CustomItem; readonly input: CustomInput };

/** A piece of a tool call of a chat completion. */
export type CallDelta = {
  readonly index: number;
  readonly id: string | null;
  /** In the first piece of a call only. */
  readonly name: string | null;
  readonly arguments: string;
};

type ItemsOptions = {
  readonly responseId: string;
  readonly offered: OfferedTools;
  readonly onEvent: (type: string, fields: object) => void;
};

/** What the engine sends is not a chat completion that can be followed. */
export class UnreadableAnswer extends Error {}

/** The output items of a response, put together from the deltas of a chat completion, with the events that tell of them. */
export class ResponseItems {
  readonly output: OutputItem[] = [];
  private readonly options: ItemsOptions;
  private open: Open | null = null;
  /** White space before a text that may never come: models put some between their thoughts and their calls. */
  private blank: { readonly kind: 'message' | 'reasoning'; readonly text: string } | null = null;
  private nextCall = 0;

  constructor(options: ItemsOptions) {
    this.options = options;
  }

  get hasReasoning(): boolean {
    return this.output.some(({ type }) => type === 'reasoning');
  }

  addText(kind: 'message' | 'reasoning', text: string): void {
    if (this.open?.kind === kind) {
      this.appendText(this.open, text);
      return;
    }
    const whole = this.blank?.kind === kind ? this.blank.text + text : text;
    if (whole.trim() === '') {
      this.blank = { kind, text: whole };
      return;
    }
    this.appendText(this.startText(kind), whole);
  }

  addCall(delta: CallDelta): void {
    const { open } = this;
    if ((open?.kind === 'call' || open?.kind === 'custom') && open.index === delta.index) {
      this.appendCall(open, delta.arguments);
      return;
    }
    if (delta.index < this.nextCall) {
      if (delta.arguments === '') return;
      // Calls come one after the other: a piece for one that has ended would be lost.
      throw new UnreadableAnswer(`a piece of tool call ${delta.index} out of order`);
    }
    if (!delta.name) throw new UnreadableAnswer(`tool call ${delta.index} has no name`);
    this.appendCall(this.startCall(delta, delta.name), delta.arguments);
  }

  /** Ends the item under way. */
  close(status: 'completed' | 'incomplete'): void {
    const { open } = this;
    this.open = null;
    this.blank = null;
    if (open === null) return;
    this.finish(open);
    open.item.status = status;
    this.event('response.output_item.done', { item: open.item });
  }

  private startText(kind: 'message' | 'reasoning'): TextOpen {
    const status: Status = 'in_progress';
    const item: TextItem =
      kind === 'message'
        ? { id: this.nextId('msg'), type: 'message', role: 'assistant', status, content: [] }
        : { id: this.nextId('rs'), type: 'reasoning', summary: [], content: [], status };
    const part: Part =
      kind === 'message'
        ? { type: 'output_text', text: '', annotations: [], logprobs: [] }
        : { type: 'reasoning_text', text: '' };
    const open = { kind, item, part };
    this.start(open);
    item.content.push(part);
    this.event('response.content_part.added', { ...placeOf(item), part });
    return open;
  }

  private startCall(delta: CallDelta, flatName: string): CallOpen {
    const tool = calledTool(this.options.offered, flatName);
    const callId = delta.id ?? `call_${this.idTail}_${delta.index}`;
    const head = { status: 'in_progress', call_id: callId, name: tool.name } as const;
    this.nextCall = delta.index + 1;
    const open: CallOpen =
      tool.kind === 'custom'
        ? {
            kind: 'custom',
            index: delta.index,
            item: { id: this.nextId('ctc'), type: 'custom_tool_call', ...head, input: '', ...namespaceOf(tool) },
            input: new CustomInput(),
          }
        : {
            kind: 'call',
            index: delta.index,
            item: { id: this.nextId('fc'), type: 'function_call', ...head, arguments: '', ...namespaceOf(tool) },
          };
    this.start(open);
    return open;
  }

  private start(open: Open): void {
    this.close('completed');
    this.open = open;
    this.output.push(open.item);
    this.event('response.output_item.added', { item: open.item });
  }

  private appendText({ kind, item, part }: TextOpen, delta: string): void {
    if (delta === '') return;
    part.text += delta;
    if (kind === 'reasoning') this.event('response.reasoning_text.delta', { ...placeOf(item), delta });
    else this.event('response.output_text.delta', { ...placeOf(item), delta, logprobs: [] });
  }

  private appendCall(open: CallOpen, piece: string): void {
    if (open.kind === 'custom') {
      this.appendInput(open.item, open.input.add(piece));
      return;
    }
    if (piece === '') return;
    open.item.arguments += piece;
    this.event('response.function_call_arguments.delta', { item_id: open.item.id, delta: piece });
  }

  private appendInput(item: CustomItem, delta: string): void {
    if (delta === '') return;
    item.input += delta;
    this.event('response.custom_tool_call_input.delta', { item_id: item.id, delta });
  }

  private finish(open: Open): void {
    switch (open.kind) {
      case 'message':
        this.event('response.output_text.done', { ...placeOf(open.item), text: open.part.text, logprobs: [] });
        this.event('response.content_part.done', { ...placeOf(open.item), part: open.part });
        return;
      case 'reasoning':
        this.event('response.reasoning_text.done', { ...placeOf(open.item), text: open.part.text });
        this.event('response.content_part.done', { ...placeOf(open.item), part: open.part });
        return;
      case 'call': {
        const { id, name, arguments: input } = open.item;
        this.event('response.function_call_arguments.done', { item_id: id, arguments: input, name });
        return;
      }
      case 'custom':
        this.appendInput(open.item, open.input.end());
        this.event('response.custom_tool_call_input.done', { item_id: open.item.id, input: open.item.input });
    }
  }

  private event(type: string, fields: object): void {
    this.options.onEvent(type, { output_index: this.output.length - 1, ...fields });
  }

  private get idTail(): string {
    return this.options.responseId.replace(/^resp_/, '');
  }

  private nextId(prefix: string): string {
    return `${prefix}_${this.idTail}_${this.output.length}`;
  }
}

type TextOpen = Extract<Open, { readonly part: Part }>;
type CallOpen = Extract<Open, { readonly index: number }>;

function placeOf(item: TextItem): { item_id: string; content_index: number } {
  return { item_id: item.id, content_index: 0 };
}

function namespaceOf({ namespace }: OfferedTool): { namespace?: string } {
  return namespace === null ? {} : { namespace };
}
