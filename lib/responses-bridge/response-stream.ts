import { z } from 'zod';
import { addMessage, chatChunk, endingOf } from './chat-answer.ts';
import { EventDataReader } from './event-data-reader.ts';
import { ResponseItems, UnreadableAnswer } from './response-items.ts';
import { type ResponseIdentity, type ResponsePlan, responseObject } from './response-plan.ts';
import { responsesUsage } from './responses-usage.ts';

/** `open` until the last event was written; a stream that ends while it is open was cut off. */
type StreamOutcome = 'open' | 'completed' | 'incomplete' | 'failed';

export type ResponseStream = {
  /** Takes bytes of the chat stream and gives the bytes that go to the client, none of them later than need be. */
  chunk(bytes: Uint8Array): readonly Uint8Array[];
  /** What is still to be sent when the chat stream has ended; nothing where it was cut off. */
  end(): readonly Uint8Array[];
  outcome(): StreamOutcome;
};

/**
 * Translates the stream of a chat completion into that of a response, event by event (openai 6, vLLM 0.28). The first
 * events are written when the engine sends the first chunk, so until then a request can still be sent elsewhere.
 */
export function createResponseStream(plan: ResponsePlan, identity: ResponseIdentity): ResponseStream {
  const reader = new EventDataReader();
  const encoder = new TextEncoder();
  const translation = new Translation(plan, identity);
  const written = (): readonly Uint8Array[] => {
    const text = translation.take();
    return text === '' ? [] : [encoder.encode(text)];
  };
  return {
    chunk(bytes) {
      for (const data of reader.read(bytes)) translation.add(data);
      return written();
    },
    end() {
      translation.end();
      return written();
    },
    outcome: () => translation.outcome,
  };
}

const engineError = z.object({ message: z.string(), code: z.number().nullish() });

class Translation {
  outcome: StreamOutcome = 'open';
  private readonly plan: ResponsePlan;
  private readonly identity: ResponseIdentity;
  private readonly items: ResponseItems;
  private model: string;
  private sequence = 0;
  private finishReason: string | null = null;
  private usage: unknown = null;
  private text = '';

  constructor(plan: ResponsePlan, identity: ResponseIdentity) {
    this.plan = plan;
    this.identity = identity;
    this.model = plan.model;
    this.items = new ResponseItems({
      responseId: identity.responseId,
      offered: plan.offered,
      onEvent: (type, fields) => this.event(type, fields),
    });
  }

  /** The events since the last time. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** Takes the data of one event of the chat stream. */
  add(data: string): void {
    if (this.outcome !== 'open') return;
    if (data === '[DONE]') {
      this.end();
      return;
    }
    try {
      this.addChunk(chatChunk.parse(JSON.parse(data)));
    } catch (error) {
      const isUnreadable =
        error instanceof SyntaxError || error instanceof z.ZodError || error instanceof UnreadableAnswer;
      if (!isUnreadable) throw error;
      this.fail('server_error', 'The engine’s answer could not be read.');
    }
  }

  /** The end of the chat stream: the response is over if the model was. */
  end(): void {
    if (this.outcome !== 'open' || this.finishReason === null) return;
    const ending = endingOf(this.finishReason);
    const usage = responsesUsage(this.usage, this.items.hasReasoning);
    this.outcome = ending.status;
    // A cut answer ends as vLLM's own does, not with OpenAI's `response.incomplete`: the translation is not to be
    // noticed, and agents take that event for a broken stream and ask again.
    const type = ending.status === 'failed' ? 'response.failed' : 'response.completed';
    this.response(type, { ...ending, output: this.items.output, usage });
  }

  private addChunk(chunk: z.infer<typeof chatChunk>): void {
    this.model = chunk.model || this.model;
    if (this.sequence === 0) this.begin();
    if (chunk.error !== undefined && chunk.error !== null) {
      this.failAs(chunk.error);
      return;
    }
    if (chunk.usage !== undefined && chunk.usage !== null) this.usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (choice?.delta) addMessage(this.items, choice.delta);
    if (!choice?.finish_reason) return;
    this.finishReason = choice.finish_reason;
    const { status } = endingOf(this.finishReason);
    // What was cut short by a failure is not handed out as done: agents act on every call that is.
    if (status !== 'failed') this.items.close(status);
  }

  private begin(): void {
    for (const type of ['response.created', 'response.in_progress']) {
      this.response(type, { status: 'in_progress', output: [], usage: null });
    }
  }

  /** Clients try again after `server_error` and `rate_limit_exceeded`, but not after `invalid_prompt`. */
  private failAs(error: unknown): void {
    const { data } = engineError.safeParse(error);
    const status = data?.code ?? 500;
    const refused = status === 429 ? 'rate_limit_exceeded' : 'invalid_prompt';
    const code = status >= 400 && status < 500 ? refused : 'server_error';
    this.fail(code, data?.message ?? 'The engine reports an error.');
  }

  private fail(code: string, message: string): void {
    if (this.sequence === 0) this.begin();
    this.outcome = 'failed';
    const { output } = this.items;
    this.response('response.failed', { status: 'failed', error: { code, message }, output, usage: null });
  }

  private response(type: string, state: Omit<Parameters<typeof responseObject>[2], 'model'>): void {
    this.event(type, { response: responseObject(this.plan, this.identity, { ...state, model: this.model }) });
  }

  private event(type: string, fields: object): void {
    const data = JSON.stringify({ type, sequence_number: this.sequence, ...fields });
    this.sequence += 1;
    this.text += `event: ${type}\ndata: ${data}\n\n`;
  }
}
