import { randomUUID } from 'node:crypto';
import type { EngineReading } from '#lib/engine/types.ts';
import { readEngine } from '#lib/engine/vllm-metrics.ts';
import { TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { SERVED_MODEL } from './engine.ts';

/** The model's entry in the configuration; `max_num_seqs` is left to the engine to tell. */
export const MODEL = { served_model_name: SERVED_MODEL, max_num_seqs: undefined } as const;

export const newSession = (): string => randomUUID();

export type Turn = {
  readonly status: number;
  readonly decision: string | null;
  readonly replica: number | null;
  readonly text: string;
};

/** One finished request of a conversation through the product. `body` is put over a short chat completion. */
export async function turn(
  warden: TestWarden,
  session: string,
  body: object = {},
  path = '/v1/chat/completions',
): Promise<Turn> {
  const answer = await warden.post(
    path,
    { model: TEST_MODEL, max_tokens: 4, messages: userSays(`hello from ${session}`), ...body },
    { 'x-claude-code-session-id': session },
  );
  const text = await answer.text();
  const replica = answer.headers.get('x-warden-replica');
  return {
    status: answer.status,
    decision: answer.headers.get('x-warden-decision'),
    replica: replica === null ? null : Number(replica),
    text,
  };
}

export const userSays = (content: string): { role: string; content: string }[] => [{ role: 'user', content }];

/** A text of its own that fills many cache blocks. */
export const longText = (seed: string, words: number): string =>
  Array.from({ length: words }, (_, index) => `${seed} ${index}`).join(' ');

/** What the engine itself says, asked directly. */
export async function readMetrics(url: string): Promise<EngineReading> {
  return readEngine(await (await fetch(`${url}/metrics`)).text(), Date.now());
}

type Counter = 'promptTokens' | 'cachedTokens' | 'generationTokens' | 'abortedRequests' | 'finishedRequests';

/** What a counter grew by on each rank between two readings. */
export function growth(before: EngineReading, after: EngineReading, counter: Counter): number[] {
  return after.ranks.map(
    (rank, index) => (rank[counter] ?? Number.NaN) - (before.ranks[index]?.[counter] ?? Number.NaN),
  );
}
