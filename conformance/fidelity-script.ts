import { z } from 'zod';
import type { RankReading } from '#lib/engine/types.ts';
import { readEngine } from '#lib/engine/vllm-metrics.ts';
import { MAX_NUM_SEQS } from './engine.ts';

/** A server of one replica, real or simulated. `headers` carry its key. */
export type Target = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** What one engine made of a script: nothing in it is a time. */
export type Observed = {
  /** Cached prompt tokens of each request, in the order in which they were sent. */
  readonly cached: readonly number[];
  /** Places of the requests in the script, in the order in which they ended. */
  readonly order: readonly number[];
  /** Running and waiting when all had been sent and none had ended; null where they come one by one. */
  readonly queue: readonly (number | null)[] | null;
  readonly counters: Readonly<Record<(typeof COUNTERS)[number], number>>;
};

const COUNTERS = [
  'promptTokens',
  'cachedTokens',
  'computedTokens',
  'generationTokens',
  'finishedRequests',
  'abortedRequests',
  'preemptions',
] as const satisfies readonly (keyof RankReading)[];

export type ScriptedRequest = { readonly prompt: readonly number[]; readonly maxTokens: number };

type Answer = { readonly cached: number; readonly output: readonly number[] };

/** Ids that no other seed gives, within the tiny model's vocabulary and clear of its marks. */
export function tokens(seed: number, length: number): number[] {
  return Array.from({ length }, (_, index) => 10 + ((seed * 7919 + index * 31 + ((seed * index) % 97)) % 450));
}

const completion = z.object({
  choices: z.tuple([z.object({ token_ids: z.array(z.number()) })]),
  usage: z.object({ prompt_tokens_details: z.object({ cached_tokens: z.number() }) }),
});

async function complete({ url, headers }: Target, { prompt, maxTokens }: ScriptedRequest): Promise<Answer> {
  const answer = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'tiny',
      prompt,
      max_tokens: maxTokens,
      temperature: 0,
      ignore_eos: true,
      return_token_ids: true,
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const { choices, usage } = completion.parse(await answer.json());
  return { cached: usage.prompt_tokens_details.cached_tokens, output: choices[0].token_ids };
}

async function readRank({ url }: Target): Promise<RankReading> {
  const [rank] = readEngine(await (await fetch(`${url}/metrics`)).text(), 0).ranks;
  if (rank === undefined) throw new Error('an engine without a rank');
  return rank;
}

async function observe(target: Target, act: () => Promise<Omit<Observed, 'counters'>>): Promise<Observed> {
  const before = await readRank(target);
  const seen = await act();
  const after = await readRank(target);
  const grown = COUNTERS.map((name) => [name, (after[name] ?? Number.NaN) - (before[name] ?? Number.NaN)] as const);
  const counters = { ...zero(), ...Object.fromEntries(grown) };
  return { ...seen, counters };
}

const zero = (): Observed['counters'] => ({
  promptTokens: 0,
  cachedTokens: 0,
  computedTokens: 0,
  generationTokens: 0,
  finishedRequests: 0,
  abortedRequests: 0,
  preemptions: 0,
});

/** Conversations that grow in turns, one request at a time; the cache does not hold them all. */
export function talkInTurns(
  target: Target,
  plan: { readonly conversations: number; readonly rounds: number; readonly system: readonly number[] },
): Promise<Observed> {
  const histories = Array.from({ length: plan.conversations }, (_, index) => [
    ...plan.system,
    ...tokens(index + 1, 500),
  ]);
  return observe(target, async () => {
    const cached: number[] = [];
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const [index, history] of histories.entries()) {
        // Not every conversation takes part in every round, so that some grow cold.
        if ((index + round) % 3 === 2) continue;
        const answer = await complete(target, { prompt: history, maxTokens: 20 + 7 * index });
        cached.push(answer.cached);
        history.push(...answer.output, ...tokens(1000 * (round + 1) + index, 100 + 13 * index));
      }
    }
    return { cached, order: cached.map((_, index) => index), queue: null };
  });
}

/** Between two requests to a paused engine: it gets them in this order, however busy the machine is. */
const GAP_MS = 150;

/** Requests that all wait when the engine begins with the first; the queue is read once it has begun. */
export function sendTogether(target: Target, requests: readonly ScriptedRequest[]): Promise<Observed> {
  return observe(target, async () => {
    const order: number[] = [];
    const answers: Promise<Answer>[] = [];
    await control(target, 'pause?mode=keep');
    for (const [index, request] of requests.entries()) {
      const answer = complete(target, request);
      answers.push(answer);
      answer.then(
        () => order.push(index),
        () => {},
      );
      await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    }
    await control(target, 'resume');
    const queue = await readQueue(target, Math.min(requests.length, MAX_NUM_SEQS));
    const cached = (await Promise.all(answers)).map((answer) => answer.cached);
    return { cached, order, queue };
  });
}

/** vLLM's development endpoints. */
async function control({ url, headers }: Target, action: string): Promise<void> {
  const answer = await fetch(`${url}/${action}`, { method: 'POST', headers });
  if (!answer.ok) throw new Error(`POST /${action}: ${answer.status}`);
}

/** Running and waiting as soon as `count` run: they are long requests, so none has ended. */
async function readQueue(target: Target, count: number): Promise<(number | null)[]> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { running, waiting } = await readRank(target);
    if (running === count) return [running, waiting];
    if (Date.now() > deadline) throw new Error(`${running} running and ${waiting} waiting instead of ${count} running`);
  }
}
