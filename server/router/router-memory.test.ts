import { describe, expect, it } from 'vitest';
import type { EngineReading } from '#lib/engine/types.ts';
import { createRouter } from '#lib/routing/router.ts';
import type { RouterMemory } from '#server/store/store.ts';
import { ClockedRouter } from './clocked-router.ts';
import { type EngineProcess, newEngineProcess, replicaPlaces } from './engine-process.ts';
import { createModelClock } from './model-clock.ts';
import { takeMemory, UnseenMemory } from './router-memory.ts';

const NOW = 1_000_000;

function reading(processStartTime: number | null, tokens: number): EngineReading {
  const rank = {
    rank: 0,
    running: 0,
    waiting: 0,
    kvUsage: 0,
    promptTokens: tokens,
    cachedTokens: 0,
    computedTokens: tokens,
    generationTokens: 0,
    kvCapacityTokens: null,
    finishedRequests: null,
    abortedRequests: null,
    preemptions: null,
  };
  return {
    takenAt: NOW,
    ranks: [rank],
    processStartTime,
    cacheSource: null,
    blockSize: null,
    prefixCachingEnabled: null,
  };
}

function engine(url: string, processStartTime: number | null, tokens: number, up = true): EngineProcess {
  return { ...newEngineProcess(url, 1), up, reading: reading(processStartTime, tokens) };
}

const home = (keyHash: string, replica: number) => ({
  keyHash,
  source: 'x-session-id',
  replica,
  lastUsedAt: NOW - 1000,
  turns: 3,
  small: false,
});
const tally = (sticky: number) => ({ placed: 1, sticky, spilledIn: 0, failedOverIn: 0, clientPinned: 0, balanced: 0 });

const CLOCK = createModelClock(
  () => NOW,
  () => NOW - 12_345,
);
const routerOf = (processes: readonly EngineProcess[]) =>
  new ClockedRouter(createRouter({ replicaCount: replicaPlaces(processes).length }), CLOCK);
const NOTHING = new UnseenMemory(null);

/** What a router saves that has a conversation on each replica, with as many sticky turns as its number and one. */
function remembered(processes: readonly EngineProcess[]): RouterMemory {
  const router = routerOf(processes);
  const there = [...replicaPlaces(processes).entries()].filter(([, { process }]) => !process.isGone);
  const tallies = replicaPlaces(processes).map((_, replica) => tally(replica + 1));
  router.restore({ homes: there.map(([replica]) => home(`key-${replica}`, replica)), tallies, unrouted: 2 });
  return takeMemory({ router, since: 500, places: replicaPlaces(processes), unseen: NOTHING, now: NOW });
}

/** A router with these engines, at one time after the other, and what it took up by then. */
function running(memory: RouterMemory, processes: readonly EngineProcess[]) {
  const unseen = new UnseenMemory(memory);
  const router = routerOf(processes);
  return {
    router,
    unseen,
    look(now: readonly EngineProcess[]) {
      const places = replicaPlaces(now);
      router.resize(places.length);
      const since = unseen.restore({ router, places });
      const homes = Object.fromEntries([...router.homes()].map((entry) => [entry.keyHash, entry.replica]));
      return { since, homes, sticky: router.tally().replicas.map((replica) => replica.sticky) };
    },
    save: (now: readonly EngineProcess[]) =>
      takeMemory({ router, since: 600, places: replicaPlaces(now), unseen, now: NOW }),
  };
}

const restored = (memory: RouterMemory, processes: readonly EngineProcess[]) =>
  running(memory, processes).look(processes);

describe('after a restart of the router', () => {
  it('homes and counters go on where every engine is the same run', () => {
    const memory = remembered([engine('http://a', 7, 100), engine('http://b', 8, 100)]);
    expect(restored(memory, [engine('http://a', 7, 150), engine('http://b', 8, 100)])).toEqual({
      since: 500,
      homes: { 'key-0': 0, 'key-1': 1 },
      sticky: [1, 2],
    });
  });

  it('homes on an engine that restarted are forgotten, the others kept, and counters begin anew', () => {
    const memory = remembered([engine('http://a', 7, 100), engine('http://b', 8, 100)]);
    expect(restored(memory, [engine('http://a', 9, 150), engine('http://b', 8, 100)])).toEqual({
      since: null,
      homes: { 'key-1': 1 },
      sticky: [0, 0],
    });
  });

  it('an engine that tells no start time is known by its counters, which only grow', () => {
    const memory = remembered([engine('http://a', null, 100)]);
    expect(restored(memory, [engine('http://a', null, 100)]).homes).toEqual({ 'key-0': 0 });
    expect(restored(memory, [engine('http://a', null, 99)]).homes).toEqual({});
  });

  it('an engine that had counted nothing when it was last seen is not taken for the same run', () => {
    const memory = remembered([engine('http://a', null, 0)]);
    expect(restored(memory, [engine('http://a', null, 0)]).homes).toEqual({});
  });

  it('an engine that is down is not taken for the same run', () => {
    const memory = remembered([engine('http://a', 7, 100)]);
    expect(restored(memory, [engine('http://a', 7, 100, false)]).homes).toEqual({});
  });

  it('a replica that had left in the middle has no number any more, and nothing else has its homes', () => {
    const gone = { ...engine('http://b', 8, 100), isGone: true, up: false };
    const [a, c, d] = [engine('http://a', 7, 100), engine('http://c', 9, 100), engine('http://d', 10, 100)];
    expect(restored(remembered([a, gone, c, d]), [a, c, d])).toEqual({
      since: 500,
      homes: { 'key-0': 0, 'key-2': 1, 'key-3': 2 },
      sticky: [1, 3, 4],
    });
  });

  it('the same URL beside its old place, which is empty, is one engine', () => {
    const gone = { ...engine('http://b', 8, 100), isGone: true, up: false };
    const [a, back] = [engine('http://a', 7, 100), engine('http://b', 11, 5)];
    expect(restored(remembered([gone, a, back]), [a, back]).homes).toEqual({ 'key-1': 0, 'key-2': 1 });
  });

  it('engines that are found one after the other get their homes back as they are, and counters with the last', () => {
    const [a, b] = [engine('http://a', 7, 100), engine('http://b', 8, 100)];
    const router = running(remembered([a, b]), []);
    expect(router.look([])).toEqual({ since: null, homes: {}, sticky: [] });
    expect(router.look([a])).toEqual({ since: null, homes: { 'key-0': 0 }, sticky: [0] });
    expect(router.look([a, b])).toEqual({ since: 500, homes: { 'key-0': 0, 'key-1': 1 }, sticky: [1, 2] });
    expect(router.unseen.isEmpty).toBe(true);
  });

  it('nothing is taken up before every engine was asked: one may have more ranks, and move those behind it', () => {
    const [a, b] = [engine('http://a', 7, 100), engine('http://b', 8, 100)];
    const router = running(remembered([a, b]), [a, b]);
    expect(router.look([newEngineProcess('http://a', 'auto'), b]).homes).toEqual({});
    expect(router.look([a, b]).homes).toEqual({ 'key-0': 0, 'key-1': 1 });
  });

  it('homes on engines that are still away are saved on, beside those that there are', () => {
    const [a, b] = [engine('http://a', 7, 100), engine('http://b', 8, 100)];
    const away = { ...newEngineProcess('http://a', 1), failedPolls: 1 };
    const first = running(remembered([a, b]), [away, b]);
    expect(first.look([away, b]).homes).toEqual({ 'key-1': 1 });
    const saved = first.save([away, b]);
    expect(restored(saved, [a, b]).homes).toEqual({ 'key-0': 0, 'key-1': 1 });
  });

  it('a conversation that got another home meanwhile keeps that one', () => {
    const [a, b] = [engine('http://a', 7, 100), engine('http://b', 8, 100)];
    const away = { ...newEngineProcess('http://a', 1), failedPolls: 1 };
    const first = running(remembered([a, b]), [away, b]);
    first.look([away, b]);
    first.router.adopt({ hash: 'key-0', source: 'x-session-id' }, 1);
    expect(restored(first.save([away, b]), [a, b]).homes).toEqual({ 'key-0': 1, 'key-1': 1 });
    expect(first.look([a, b]).homes).toEqual({ 'key-0': 1, 'key-1': 1 });
  });

  it('homes follow their URL to another place in the list', () => {
    const memory = remembered([engine('http://a', 7, 100), engine('http://b', 8, 100)]);
    const moved = [engine('http://new', 1, 0), engine('http://b', 8, 100), engine('http://a', 7, 100)];
    expect(restored(memory, moved).homes).toEqual({ 'key-0': 2, 'key-1': 1 });
  });
});
