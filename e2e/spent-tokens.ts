import { z } from 'zod';

/** What one answer cost by the engine's own words; zero where it said nothing. */
export type Spent = {
  readonly cached: number;
  readonly computed: number;
  readonly completion: number;
  /** Whether it said how much of the prompt it had cached. */
  readonly measured: boolean;
};

const openAi = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }).nullable(),
});

const anthropic = z.object({
  input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  output_tokens: z.number(),
});

const responses = z.object({
  input_tokens: z.number(),
  input_tokens_details: z.object({ cached_tokens: z.number() }),
  output_tokens: z.number(),
});

const answer = z.object({ usage: z.unknown() });

/** Reads the usage of an answer body, or of the last event of a stream that has one. */
export function spentTokens(body: unknown): Spent {
  const whole = typeof body === 'string' ? lastEventWithUsage(body) : body;
  const usage = answer.safeParse(whole).data?.usage;
  const chat = openAi.safeParse(usage);
  if (chat.success) {
    const cached = chat.data.prompt_tokens_details?.cached_tokens ?? 0;
    return {
      cached,
      computed: chat.data.prompt_tokens - cached,
      completion: chat.data.completion_tokens,
      measured: chat.data.prompt_tokens_details !== null,
    };
  }
  const messages = anthropic.safeParse(usage);
  if (messages.success) {
    return {
      cached: messages.data.cache_read_input_tokens,
      computed: messages.data.input_tokens + messages.data.cache_creation_input_tokens,
      completion: messages.data.output_tokens,
      measured: true,
    };
  }
  const response = responses.safeParse(usage);
  if (response.success) {
    const cached = response.data.input_tokens_details.cached_tokens;
    const computed = response.data.input_tokens - cached;
    return { cached, computed, completion: response.data.output_tokens, measured: true };
  }
  return { cached: 0, computed: 0, completion: 0, measured: false };
}

function lastEventWithUsage(stream: string): unknown {
  const events = stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line): unknown => JSON.parse(line.slice('data: '.length)));
  return events.findLast((event) => (answer.safeParse(event).data?.usage ?? null) !== null);
}
