import { describe, expect, it } from 'vitest';
import type { EngineReading } from '#lib/engine/types.ts';
import { createRouter } from '#lib/routing/router.ts';
import type { RouterMemory } from '#server/store/store.ts';
import { type EngineProcess, newEngineProcess, replicaPlaces } from './engine-process.ts';
import { engineMarks, restoreMemory } from './router-memory.ts';

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

function remembered(processes: readonly EngineProcess[]): RouterMemory {
  return {
    homes: processes.map((_, replica) => home(`key-${replica}`, replica)),
    since: 500,
    tallies: processes.map((_, replica) => tally(replica + 1)),
    unrouted: 2,
    engines: engineMarks(processes),
  };
}

function restored(memory: RouterMemory, processes: readonly EngineProcess[]) {
  const router = createRouter({ replicaCount: processes.length });
  const places = replicaPlaces(processes);
  const since = restoreMemory({ memory, router, processes, places, now: NOW });
  const homes = Object.fromEntries([...router.homes(NOW)].map((entry) => [entry.keyHash, entry.replica]));
  return { since, homes, sticky: router.tally().replicas.map((replica) => replica.sticky) };
}

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

  it('homes follow their URL to another place in the list', () => {
    const memory = remembered([engine('http://a', 7, 100), engine('http://b', 8, 100)]);
    const moved = [engine('http://new', 1, 0), engine('http://b', 8, 100), engine('http://a', 7, 100)];
    expect(restored(memory, moved).homes).toEqual({ 'key-0': 2, 'key-1': 1 });
  });
});
