import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type RequestList, requestList } from '#lib/contract/activity.ts';
import type { BuiltWarden } from '../built-warden.ts';
import type { MortalFleet } from './built-fleets.ts';

export type Turns = RequestList['requests'];

const ROWS_ARE_WRITTEN_EVERY_MS = 1000;

/** The finished requests to a path, side requests left out, in their order. */
export async function turnsOn(warden: BuiltWarden, path: string): Promise<Turns> {
  await pause(1.5 * ROWS_ARE_WRITTEN_EVERY_MS);
  const { requests } = await warden.get('/api/requests?limit=1000', requestList);
  return requests.filter((row) => row.path === path && row.decision !== 'balanced').reverse();
}

/** One thread: placed once, then sticky, all on one replica, found in its cache from the second turn on. */
export function expectOneHome(turns: Turns): void {
  expect(turns.map((turn) => turn.decision)).toEqual(['placed', ...turns.slice(1).map(() => 'sticky')]);
  expect(new Set(turns.map((turn) => turn.replica)).size).toBe(1);
  for (const turn of turns) expect(turn).toMatchObject({ status: 200, outcome: 'ok' });
  for (const turn of turns.slice(1)) expect((turn.cached_tokens ?? 0) / (turn.prompt_tokens ?? 1)).toBeGreaterThan(0.8);
}

/** Waits for the first finished turn, then lets the engine die and come back while the agent's tool runs. */
export async function restartAfterFirstTurn(warden: BuiltWarden, fleet: MortalFleet, path: string): Promise<void> {
  while ((await turnsOn(warden, path)).length === 0) await pause(200);
  await fleet.dieAndComeBack(6000);
}
