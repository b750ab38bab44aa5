import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sessionList } from '#lib/contract/activity.ts';
import { admissionSeries } from '#lib/contract/series.ts';
import { PRESETS } from '#lib/simulation/profile.ts';
import type { SimulatedFleetOptions } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, TEST_MODEL, type WardenClient } from './warden-for-tests.ts';

/** Three conversations of `CONTEXT_TOKENS` fit a replica's cache of 5,008 tokens, and four do not. */
const BLOCKS = 313;
export const CONTEXT_TOKENS = 1500;

/** An engine whose caches are small. */
export const SMALL_FLEET: SimulatedFleetOptions = {
  replicas: 1,
  preset: { ...PRESETS.a4000x4, numBlocks: BLOCKS, maxModelLen: 4096 },
};

export function startSmallFleet(options: SimulatedFleetOptions = {}): ReturnType<typeof startSimulatedFleet> {
  return startSimulatedFleet({ ...SMALL_FLEET, ...options });
}

export type CrowdTurn = {
  readonly session?: string;
  readonly contextTokens?: number;
  readonly answerTokens?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
};

export type SentTurn = {
  readonly session: string;
  /** Resolves with the whole answer. */
  readonly answer: Promise<{ readonly status: number; readonly headers: Headers }>;
  /** Its client goes away. */
  leave(): void;
};

/** Sends a turn whose text no other conversation shares. */
export function sendTurn(warden: WardenClient, turn: CrowdTurn = {}): SentTurn {
  const { session = randomUUID(), contextTokens = CONTEXT_TOKENS, answerTokens = 4 } = turn;
  const leaving = new AbortController();
  const content = session.repeat(Math.ceil((contextTokens * 4) / session.length));
  const body = { max_tokens: answerTokens, ignore_eos: true, messages: [{ role: 'user', content }] };
  const headers = { 'x-claude-code-session-id': session, ...turn.headers };
  const sent = warden.post(
    '/v1/chat/completions',
    { model: TEST_MODEL, stream: true, ...body, ...turn.body },
    headers,
    leaving.signal,
  );
  const answer = sent.then(async (response) => {
    await response.text();
    return { status: response.status, headers: response.headers };
  });
  // One that is left rejects; who waits for it sees that, and nobody else needs to.
  answer.catch(() => {});
  return { session, answer, leave: () => leaving.abort() };
}

/** Fills the cache with turns that go on until they are left. */
export async function occupy(warden: WardenClient, count: number): Promise<SentTurn[]> {
  const turns: SentTurn[] = [];
  for (let index = 0; index < count; index += 1) {
    turns.push(sendTurn(warden, { answerTokens: 2000 }));
    await untilInFlight(warden, index + 1);
  }
  return turns;
}

export const admission = async (warden: WardenClient) => (await warden.routing()).admission;

/** Waits until so many requests are on their way through the engine. */
export const untilInFlight = (warden: WardenClient, count: number) =>
  eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(count));

/** Waits until so many turns are held. */
export const untilHeld = (warden: WardenClient, held: number) =>
  eventually(async () => expect(await admission(warden)).toMatchObject({ held }));

export const heldSessions = async (warden: WardenClient) => {
  const { sessions } = sessionList.parse(await (await fetch(`${warden.url}/api/sessions`)).json());
  return sessions
    .filter(({ held_seconds }) => held_seconds !== null)
    .sort((a, b) => (a.queue_position ?? 0) - (b.queue_position ?? 0));
};

export const admissionStats = async (warden: WardenClient) =>
  admissionSeries.parse(await (await fetch(`${warden.url}/api/stats/admission?window=15m`)).json());

/** The seconds that the answer says its request was held. */
export const queuedSeconds = async ({ answer }: SentTurn): Promise<number> =>
  Number((await answer).headers.get('x-warden-queued-seconds') ?? Number.NaN);
