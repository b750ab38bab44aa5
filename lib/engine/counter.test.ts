import { describe, expect, it } from 'vitest';
import { counterDelta, engineRestarted } from './counter.ts';
import type { EngineReading, RankReading } from './types.ts';

const RANK: RankReading = {
  rank: 0,
  running: 1,
  waiting: 0,
  kvUsage: 0.5,
  promptTokens: 1000,
  cachedTokens: 600,
  computedTokens: 400,
  generationTokens: 50,
  kvCapacityTokens: 41600,
  finishedRequests: 9,
  abortedRequests: 1,
  preemptions: 0,
};
const READING: EngineReading = {
  takenAt: 0,
  ranks: [RANK, { ...RANK, rank: 1 }],
  processStartTime: null,
  cacheSource: 'prompt_tokens_by_source',
  blockSize: 16,
  prefixCachingEnabled: true,
};
const withRank = (change: Partial<RankReading>): EngineReading => ({ ...READING, ranks: [{ ...RANK, ...change }] });

describe('counterDelta', () => {
  it('is unknown where either reading is', () => {
    expect(counterDelta(null, 5)).toBeNull();
    expect(counterDelta(5, null)).toBeNull();
  });

  it('is what the counter grew by', () => {
    expect(counterDelta(5, 12)).toEqual({ increase: 7, restarted: false });
    expect(counterDelta(5, 5)).toEqual({ increase: 0, restarted: false });
  });

  it('is what was counted since the restart where the counter went back', () => {
    expect(counterDelta(500, 12)).toEqual({ increase: 12, restarted: true });
  });
});

describe('engineRestarted', () => {
  it('sees no restart while counters stand or grow and gauges move', () => {
    expect(engineRestarted(READING, READING)).toBe(false);
    expect(engineRestarted(READING, withRank({ promptTokens: 2000, running: 0, kvUsage: 0 }))).toBe(false);
  });

  it.each(['promptTokens', 'cachedTokens', 'generationTokens', 'finishedRequests', 'abortedRequests'] as const)(
    'sees a restart where %s of a rank went back',
    (name) => {
      expect(engineRestarted(READING, withRank({ [name]: 0 }))).toBe(true);
    },
  );

  it('sees a restart where another process started, even with higher counters', () => {
    const before = { ...READING, processStartTime: 100 };
    expect(engineRestarted(before, { ...withRank({ promptTokens: 5000 }), processStartTime: 160.5 })).toBe(true);
    expect(engineRestarted(before, { ...READING, processStartTime: null })).toBe(false);
  });

  it('does not take a lagging difference of two counters for a restart', () => {
    expect(engineRestarted(READING, withRank({ computedTokens: 399 }))).toBe(false);
  });

  it('does not compare cached tokens that come from different counters', () => {
    const before: EngineReading = { ...READING, cacheSource: 'prefix_cache_queries' };
    expect(engineRestarted(before, withRank({ cachedTokens: 10 }))).toBe(false);
  });

  it('does not take an unknown counter or a missing rank for a restart', () => {
    expect(engineRestarted(READING, withRank({ promptTokens: null }))).toBe(false);
    expect(engineRestarted(READING, { ...READING, ranks: [] })).toBe(false);
  });
});
