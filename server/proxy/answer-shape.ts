import { randomUUID } from 'node:crypto';
import type { ResponsePlan } from '#lib/responses-bridge/response-plan.ts';
import { createResponseStream } from '#lib/responses-bridge/response-stream.ts';
import { translateAnswer } from '#lib/responses-bridge/translate-answer.ts';
import { createUsageFilter } from '#lib/usage/usage-filter.ts';

/** Changes an event stream on its way, event by event; nothing that can be sent is held back. */
export type StreamShaper = {
  chunk(bytes: Uint8Array): readonly Uint8Array[];
  end(): readonly Uint8Array[];
  /** False where the engine's stream ended before the answer did: the client must not take it for whole. */
  isComplete(): boolean;
};

/** What the client gets in place of the engine's own answer; null for what stays as it is. Errors always do. */
export type AnswerShape = {
  readonly stream: (() => StreamShaper) | null;
  readonly body: ((answer: Buffer) => Buffer | null) | null;
};

/** Byte for byte as the engine sends it. */
export const AS_IT_IS: AnswerShape = { stream: null, body: null };

/** Without the usage chunk of a stream, which the router asked for and the client did not. */
export const WITHOUT_USAGE: AnswerShape = {
  stream: () => {
    const filter = createUsageFilter();
    return { chunk: (bytes) => filter.chunk(bytes), end: () => filter.end(), isComplete: () => true };
  },
  body: null,
};

/** A chat completion as the response that the client asked for. */
export function asResponse(plan: ResponsePlan, now: () => number): AnswerShape {
  const identity = () => ({ responseId: `resp_${randomUUID().replaceAll('-', '')}`, createdAt: now() });
  return {
    stream: () => {
      const stream = createResponseStream(plan, identity());
      return {
        chunk: (bytes) => stream.chunk(bytes),
        end: () => stream.end(),
        isComplete: () => stream.outcome() !== 'open',
      };
    },
    body: (answer) => {
      const translated = translateAnswer(plan, parsed(answer), identity());
      return translated === null ? null : Buffer.from(JSON.stringify(translated));
    },
  };
}

function parsed(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString());
  } catch (error) {
    // Not JSON: the client gets the engine's own bytes.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
