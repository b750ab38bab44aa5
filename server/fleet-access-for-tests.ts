import pino from 'pino';
import { expect } from 'vitest';
import { apiKey, keyList, madeKey, peopleList } from '#lib/contract/access.ts';
import { fleetState } from '#lib/contract/fleet.ts';
import { type Browser, PASSWORD, signIn, turn } from './access-fixtures-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { eventually, startTestWarden, type TestWarden, type TestWardenOptions } from './warden-for-tests.ts';

/** Longer than a second on an idle machine is a failure; these machines are not idle. */
export const SOON_MS = 5000;

/** A warden of a fleet with a password, as deploy/fleet starts them. */
export function startFleetWarden(
  engine: SimulatedFleet,
  shared: string,
  options: Partial<TestWardenOptions> = {},
): Promise<TestWarden> {
  const access = { adminPassword: PASSWORD, ...options.access };
  return startTestWarden({ fleets: [engine], shared, log: pino({ level: 'silent' }), ...options, access });
}

/** What a client with a key gets at a warden: 200, or why not. */
export async function statusAt(warden: Pick<TestWarden, 'post'>, secret: string): Promise<number> {
  const answer = await warden.post('/v1/chat/completions', turn(), { authorization: `Bearer ${secret}` });
  await answer.text();
  return answer.status;
}

/** Waits until a key gets the same at all of them. */
export async function everywhere(
  wardens: readonly Pick<TestWarden, 'post'>[],
  secret: string,
  status: number,
  timeoutMs = SOON_MS,
): Promise<void> {
  await eventually(async () => {
    for (const warden of wardens) expect(await statusAt(warden, secret)).toBe(status);
  }, timeoutMs);
}

/** Waits until all say that the shared memory is up, or away. */
export function allSay(browsers: readonly Browser[], up: boolean): Promise<void> {
  return eventually(async () => {
    for (const one of browsers) {
      const { shared_memory_up, members } = fleetState.parse(await (await one.request('GET', '/api/fleet')).json());
      expect(shared_memory_up).toBe(up);
      // Who has not heard of another yet counts as one alone.
      if (up) expect(members.length).toBeGreaterThanOrEqual(browsers.length);
    }
  }, 15_000);
}

export const keysOf = async (one: Browser) => keyList.parse(await (await one.request('GET', '/api/keys')).json()).keys;
export const peopleOf = async (one: Browser) =>
  peopleList.parse(await (await one.request('GET', '/api/people')).json()).people;

export async function makeKeyAt(one: Browser, wish: Readonly<Record<string, unknown>> = {}) {
  return madeKey.parse(await (await one.request('POST', '/api/keys', { name: 'test key', ...wish })).json());
}

/** Revokes a key by its name: its number is another one at each warden. */
export async function revokeAt(one: Browser, name: string): Promise<void> {
  const found = (await keysOf(one)).find((key) => key.name === name);
  const answer = await one.request('DELETE', `/api/keys/${found?.id}`);
  apiKey.parse(await answer.json());
}

export async function personAt(one: Browser, name: string) {
  const found = (await peopleOf(one)).find((person) => person.name === name);
  if (found === undefined) throw new Error(`${name} is not known here`);
  return found;
}

/** The same cookie in front of another warden: a browser whose requests a balancer deals out. */
export function sameBrowserAt(other: TestWarden, one: Browser, browserOf: (warden: TestWarden) => Browser): Browser {
  const moved = browserOf(other);
  moved.cookie = one.cookie;
  return moved;
}

export const canSignIn = (warden: TestWarden, name: string, password = PASSWORD): Promise<boolean> =>
  signIn(warden, name, password).then(
    () => true,
    () => false,
  );
