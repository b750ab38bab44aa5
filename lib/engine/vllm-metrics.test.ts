import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EngineReading, RankReading } from './types.ts';
import { readEngine } from './vllm-metrics.ts';

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/engine/${name}`, import.meta.url), 'utf8');
const FOUR_RANKS = fixture('metrics-4rank-multiproc.txt');
const WITH_CREATED = fixture('metrics-4rank-singleproc-created.txt');

function onlyRank(reading: EngineReading): RankReading {
  const [rank, ...others] = reading.ranks;
  if (rank === undefined || others.length > 0) throw new Error(`${reading.ranks.length} ranks`);
  return rank;
}

describe('readEngine', () => {
  it('reads four ranks of one server', () => {
    const reading = readEngine(FOUR_RANKS, 1234);
    expect(reading).toMatchObject({
      takenAt: 1234,
      processStartTime: null,
      cacheSource: 'prompt_tokens_by_source',
      blockSize: 16,
      prefixCachingEnabled: true,
    });
    expect(reading.ranks.map(({ rank, running, waiting }) => [rank, running, waiting])).toEqual([
      [0, 3, 0],
      [1, 4, 2],
      [2, 2, 0],
      [3, 0, 0],
    ]);
    expect(reading.ranks[1]).toEqual({
      rank: 1,
      running: 4,
      waiting: 2,
      kvUsage: 0.9665255867641401,
      promptTokens: 388410,
      cachedTokens: 338816,
      computedTokens: 49594,
      generationTokens: 7904,
      kvCapacityTokens: 41600,
      finishedRequests: 34,
      abortedRequests: 0,
      preemptions: 5,
    });
  });

  it('is not misled by the _created series of a single API server', () => {
    const { ranks } = readEngine(FOUR_RANKS, 0);
    expect(readEngine(WITH_CREATED, 0).ranks).toEqual(ranks);
  });

  it('has no ranks and knows nothing where the text has no vLLM series', () => {
    const text = 'http_requests_total{handler="/health"} 3\nprocess_start_time_seconds 1.79603e+09\n';
    expect(readEngine(text, 5)).toEqual({
      takenAt: 5,
      ranks: [],
      processStartTime: 1.79603e9,
      cacheSource: null,
      blockSize: null,
      prefixCachingEnabled: null,
    });
    expect(readEngine('<html>nothing here</html>', 5).ranks).toEqual([]);
  });

  it('leaves what is absent or not a number unknown', () => {
    const rank = onlyRank(
      readEngine('vllm:num_requests_running{engine="0"} 0.0\nvllm:kv_cache_usage_perc{engine="0"} NaN', 0),
    );
    expect(rank).toEqual({
      rank: 0,
      running: 0,
      waiting: null,
      kvUsage: null,
      promptTokens: null,
      cachedTokens: null,
      computedTokens: null,
      generationTokens: null,
      kvCapacityTokens: null,
      finishedRequests: null,
      abortedRequests: null,
      preemptions: null,
    });
  });

  it('reads the names of vLLM 0.9, without an engine label and without _total', () => {
    const reading = readEngine(
      `vllm:num_requests_running{model_name="m"} 2
vllm:gpu_cache_usage_perc{model_name="m"} 0.25
vllm:gpu_prefix_cache_queries{model_name="m"} 1000
vllm:gpu_prefix_cache_hits{model_name="m"} 640
vllm:prompt_tokens{model_name="m"} 900
vllm:request_success_total{model_name="m",finished_reason="stop"} 5
vllm:request_success_total{model_name="m",finished_reason="abort"} 2`,
      0,
    );
    expect(reading.cacheSource).toBe('prefix_cache_queries');
    expect(onlyRank(reading)).toMatchObject({
      rank: 0,
      running: 2,
      kvUsage: 0.25,
      promptTokens: 900,
      cachedTokens: 640,
      computedTokens: 360,
      finishedRequests: 7,
      abortedRequests: 2,
    });
  });

  it('prefers the new name where an engine exposes both', () => {
    const both = 'vllm:kv_cache_usage_perc{engine="0"} 0.5\nvllm:gpu_cache_usage_perc{engine="0"} 0.4';
    expect(onlyRank(readEngine(both, 0)).kvUsage).toBe(0.5);
  });

  it('reads OpenMetrics with exemplars', () => {
    const reading = readEngine(
      `# TYPE vllm:prompt_tokens counter
vllm:prompt_tokens_total{engine="0",model_name="m"} 120 # {request="r1"} 7 1796030056.7
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="m"} 4
# EOF`,
      0,
    );
    expect(onlyRank(reading)).toMatchObject({ promptTokens: 120, waiting: 4 });
  });

  it('takes the split from prompt_tokens_cached where there is no split by source', () => {
    const reading = readEngine(
      `vllm:prompt_tokens_total{engine="0"} 500
vllm:prompt_tokens_cached_total{engine="0"} 300
vllm:prefix_cache_queries_total{engine="0"} 9000
vllm:prefix_cache_hits_total{engine="0"} 8000`,
      0,
    );
    expect(reading.cacheSource).toBe('prompt_tokens_cached');
    expect(onlyRank(reading)).toMatchObject({ cachedTokens: 300, computedTokens: 200 });
  });

  it('counts tokens that a KV connector brought as cached', () => {
    const rank = onlyRank(
      readEngine(
        `vllm:prompt_tokens_by_source_total{engine="0",source="local_compute"} 10
vllm:prompt_tokens_by_source_total{engine="0",source="local_cache_hit"} 20
vllm:prompt_tokens_by_source_total{engine="0",source="external_kv_transfer"} 5`,
        0,
      ),
    );
    expect(rank).toMatchObject({ cachedTokens: 25, computedTokens: 10 });
  });

  it('uses one source for all ranks, so a rank without it is unknown', () => {
    const { ranks, cacheSource } = readEngine(
      `vllm:prompt_tokens_by_source_total{engine="0",source="local_compute"} 10
vllm:prefix_cache_queries_total{engine="1"} 90
vllm:prefix_cache_hits_total{engine="1"} 80`,
      0,
    );
    expect(cacheSource).toBe('prompt_tokens_by_source');
    expect(ranks.map(({ cachedTokens, computedTokens }) => [cachedTokens, computedTokens])).toEqual([
      [0, 10],
      [null, null],
    ]);
  });

  it('divides num_gpu_blocks by the ranks where the size per rank is not given', () => {
    const config = (engine: number) =>
      `vllm:cache_config_info{block_size="16",engine="${engine}",num_gpu_blocks="10400"} 1.0`;
    const four = readEngine([0, 1, 2, 3].map(config).join('\n'), 0);
    expect(four.ranks.map(({ kvCapacityTokens }) => kvCapacityTokens)).toEqual([41600, 41600, 41600, 41600]);
    expect(onlyRank(readEngine(config(0), 0)).kvCapacityTokens).toBe(166400);
  });

  it('reads settings that vLLM does not know as unknown', () => {
    const text =
      'vllm:cache_config_info{block_size="None",enable_prefix_caching="None",engine="0",num_gpu_blocks="None"} 1';
    const reading = readEngine(text, 0);
    expect(reading).toMatchObject({ blockSize: null, prefixCachingEnabled: null });
    expect(onlyRank(reading).kvCapacityTokens).toBeNull();
  });

  it('sees that prefix caching is off', () => {
    const text = 'vllm:cache_config_info{enable_prefix_caching="False",engine="0"} 1';
    expect(readEngine(text, 0).prefixCachingEnabled).toBe(false);
  });

  it('keeps the rank number of an engine that exposes one rank only, and gives it the series without a label', () => {
    const text = 'vllm:num_requests_running{engine="3"} 1\nvllm:num_requests_waiting 2';
    expect(onlyRank(readEngine(text, 0))).toMatchObject({ rank: 3, running: 1, waiting: 2 });
  });

  it('gives a series without a label to no rank where there are several, except for settings of the whole process', () => {
    const reading = readEngine(
      `vllm:num_requests_running{engine="10"} 1
vllm:num_requests_running{engine="2"} 1
vllm:num_requests_waiting 7
vllm:cache_config_info{block_size="16",num_gpu_blocks="200"} 1`,
      0,
    );
    expect(reading.blockSize).toBe(16);
    expect(reading.ranks.map(({ rank, waiting, kvCapacityTokens }) => [rank, waiting, kvCapacityTokens])).toEqual([
      [2, null, 1600],
      [10, null, 1600],
    ]);
  });

  it('passes over an engine label that is not a rank', () => {
    expect(readEngine('vllm:num_requests_running{engine="core"} 1', 0).ranks).toEqual([]);
  });
});
