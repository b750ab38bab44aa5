import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineLacks } from './engine-lacks.ts';
import { sleepingRanks } from './sleep-state.ts';
import { readEngine } from './vllm-metrics.ts';

const recorded = (name: string) => readFileSync(new URL(`../../fixtures/vllm/${name}`, import.meta.url), 'utf8');
const TWO_RANKS = recorded('metrics-two-ranks.txt');
const FRESH = recorded('metrics-two-ranks-fresh.txt');
const ONE_RANK = recorded('metrics-one-rank.txt');
const KNOWN = { maxNumSeqs: 4, version: '0.32.0' };

describe('the metrics of vLLM 0.32', () => {
  it('tell everything the product asks for, with several API servers and with one', () => {
    for (const text of [TWO_RANKS, FRESH, ONE_RANK]) expect(engineLacks(readEngine(text, 0), KNOWN)).toEqual([]);
  });

  it('have every rank of the URL in one text', () => {
    expect(readEngine(TWO_RANKS, 0).ranks.map(({ rank }) => rank)).toEqual([0, 1]);
    expect(readEngine(ONE_RANK, 0).ranks.map(({ rank }) => rank)).toEqual([0]);
  });

  it('leave out the gauges of a rank that has never worked, which is idle and not unknown', () => {
    expect(FRESH.includes('\nvllm:num_requests_running{')).toBe(false);
    expect(readEngine(FRESH, 0).ranks.map(({ running, waiting, kvUsage }) => [running, waiting, kvUsage])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('leave the load unknown where a rank has worked and its gauges are missing', () => {
    const hidden = TWO_RANKS.replaceAll('vllm:num_requests_running{', 'vllm:something_else{');
    expect(readEngine(hidden, 0).ranks.map(({ running }) => running)).toEqual([null, null]);
  });

  it('tell the start of the process with one API server only', () => {
    expect(readEngine(ONE_RANK, 0).processStartTime).toBe(1.7e9);
    expect(readEngine(TWO_RANKS, 0).processStartTime).toBeNull();
  });

  it('have the blocks of all ranks summed, and the cache in tokens of one', () => {
    expect(TWO_RANKS).toContain('num_gpu_blocks="512"');
    expect(ONE_RANK).toContain('num_gpu_blocks="256"');
    for (const text of [TWO_RANKS, ONE_RANK]) {
      for (const { kvCapacityTokens } of readEngine(text, 0).ranks) expect(kvCapacityTokens).toBe(256 * 32);
    }
  });

  it('give the same cache where only the summed blocks are told, as before 0.23', () => {
    const older = TWO_RANKS.replaceAll(/kv_cache_size_tokens="\d+",/g, '');
    for (const { kvCapacityTokens } of readEngine(older, 0).ranks) expect(kvCapacityTokens).toBe(256 * 32);
  });

  it('split the prompt tokens by source without a rest, and agree with the other two counters of hits', () => {
    const { ranks, cacheSource, blockSize } = readEngine(TWO_RANKS, 0);
    expect(cacheSource).toBe('prompt_tokens_by_source');
    expect(ranks[0]?.cachedTokens).toBeGreaterThan(0);
    for (const { rank, promptTokens, cachedTokens, computedTokens } of ranks) {
      expect((cachedTokens ?? 0) + (computedTokens ?? 0)).toBe(promptTokens);
      expect((cachedTokens ?? 0) % (blockSize ?? 0)).toBe(0);
      for (const counter of ['prompt_tokens_cached_total', 'prefix_cache_hits_total']) {
        expect(TWO_RANKS).toContain(`vllm:${counter}{engine="${rank}",model_name="tiny"} ${cachedTokens?.toFixed(1)}`);
      }
    }
  });

  it('are not misled by the _created gauges that one API server adds', () => {
    expect(ONE_RANK).toContain('vllm:prompt_tokens_created{');
    expect(readEngine(ONE_RANK, 0).ranks[0]?.promptTokens).toBeLessThan(1_000_000);
  });
});

describe('sleepingRanks', () => {
  it('finds none while the engine is awake, or does not say', () => {
    expect(sleepingRanks(TWO_RANKS)).toEqual([]);
    expect(sleepingRanks(FRESH)).toEqual([]);
    expect(sleepingRanks('')).toEqual([]);
  });

  it('finds the ranks that are not awake', () => {
    const state = (rank: number, value: string) =>
      `vllm:engine_sleep_state{engine="${rank}",model_name="tiny",sleep_state="awake"} ${value}`;
    expect(TWO_RANKS).toContain(state(1, '1.0'));
    expect(sleepingRanks(TWO_RANKS.replace(state(1, '1.0'), state(1, '0.0')))).toEqual([1]);
  });
});
