import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { RoutedRequest } from '#lib/routing/types.ts';
import { NO_USAGE } from '#lib/usage/usage.ts';
import { startRedis } from '#scripts/start-redis.ts';
import { joinFleet } from './fleet/fleet.ts';
import { readSharedUrl } from './fleet/shared-url.ts';
import { freePass } from './router/admission-pass.ts';
import type { ModelRuntime } from './router/model-runtime.ts';
import { type Closing, runningModel } from './running-model-for-tests.ts';
import { eventually } from './warden-for-tests.ts';

const closing: Closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const [A, B, C, D] = ['http://a:1', 'http://b:1', 'http://c:1', 'http://d:1'] as const;

const requestOf = (hash: string, changes: Partial<RoutedRequest> = {}): RoutedRequest => ({
  key: { hash, source: 'test' },
  role: 'turn',
  sideReason: null,
  pin: null,
  unpinnable: null,
  bodyBytes: 100_000,
  ...changes,
});

function placed(model: ModelRuntime, request: RoutedRequest) {
  const placement = model.place(request, null, freePass(null));
  if (placement === null) throw new Error('no replica');
  return placement;
}

function turn(model: ModelRuntime, request: RoutedRequest): number | null {
  const placement = placed(model, request);
  placement.answered();
  placement.release(true, NO_USAGE);
  return placement.replica;
}

const clientPinned = (model: ModelRuntime) => model.router.tally().replicas.map((tally) => tally.clientPinned);

describe('a number that another replica takes', () => {
  it('has none of the counters of the one before, and the others keep theirs', async () => {
    const { model, entry, well } = await runningModel([A, B, C], closing);
    for (const pin of [0, 1, 1, 2, 2, 2]) turn(model, requestOf('pinned', { pin }));
    expect(clientPinned(model)).toEqual([1, 2, 3]);
    model.reconfigure(entry([A, C]));
    model.reconfigure(entry([A, C, D]));
    well(D);
    expect(model.replicas.map(([replica, { process }]) => [replica, process.url])).toEqual([
      [0, A],
      [1, D],
      [2, C],
    ]);
    expect(clientPinned(model)).toEqual([1, 0, 3]);
    turn(model, requestOf('pinned', { pin: 1 }));
    expect(clientPinned(model)).toEqual([1, 1, 3]);
  });

  it('has what other wardens told of its replica at once', async () => {
    const redis = await startRedis();
    closing.push(() => redis.close());
    const fleetOf = (id: string) => {
      const about = () => ({ url: `http://${id}`, version: 'test', started_at: new Date().toISOString() });
      const log = pino({ level: 'silent' });
      const fleet = joinFleet({ address: readSharedUrl(redis.url), id, about, now: Date.now, log });
      closing.push(() => fleet.close());
      return fleet;
    };
    const [first, second] = [fleetOf('first'), fleetOf('second')];
    const config = { cache_fit: true };
    const { model: one } = await runningModel([A, D], closing, { config, fleet: first });
    const { model: two, entry } = await runningModel([A, B], closing, { config, fleet: second });
    for (const fleet of [first, second]) {
      await eventually(() => expect(fleet.members()).toHaveLength(2), 10_000);
    }
    const signal = new AbortController().signal;
    const pass = await one.admission.enter({ request: requestOf('theirs'), client: null, heldMs: 0, signal });
    pass?.placed(1, false);
    const hears = () => two.admission.view().live.replicas.map(({ conversations }) => conversations);
    pass?.finished({ promptTokens: 900, cachedTokens: 0, completionTokens: 10 });
    await eventually(() => {
      const told = second.members().find(({ id }) => id === 'first')?.models.m?.conversations;
      expect(told).toMatchObject([{ replica: expect.stringContaining(D), in_flight: false }]);
    });
    // It has been heard; this warden does not have that replica.
    expect(hears()).toEqual([0, 0]);
    two.reconfigure(entry([A, D]));
    const number = two.replicas.find(([, { process }]) => process.url === D)?.[0] ?? -1;
    expect(hears()[number]).toBe(1);
  });
});

describe('a turn that spilled to a replica which could not be reached', () => {
  it('counts as no spill of its conversation, whether it is sent elsewhere or not at all', async () => {
    const { model } = await runningModel([A, B, C], closing, { config: { spill_threshold: 1 } });
    const home = turn(model, requestOf('one'));
    const busy = placed(model, requestOf('one'));
    expect(busy.replica).toBe(home);
    const spilled = placed(model, requestOf('one'));
    expect(spilled.decision.kind).toBe('spilled');
    expect(model.sessions.get('one')).toMatchObject({ turns: 3, spills: 1, lastDecision: 'spilled' });
    spilled.unreachable();
    const other = spilled.failOver();
    expect(other?.decision.kind).toBe('failed_over');
    expect(model.sessions.get('one')).toMatchObject({ turns: 3, spills: 0, lastDecision: 'failed_over' });
    expect(model.router.home('one')).toMatchObject({ spills: 0 });
    other?.withdraw();
    expect(model.sessions.get('one')).toMatchObject({ turns: 2, spills: 0 });
    busy.release(true, NO_USAGE);
  });
});
