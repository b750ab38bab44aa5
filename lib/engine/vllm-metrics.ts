import type { EngineReading, RankReading } from './types.ts';
import { childrenOf, collectSeries, type EngineSeries, type RankSeries, type SeriesKey, sumOf } from './vllm-series.ts';

type CacheSource = NonNullable<EngineReading['cacheSource']>;

/** Best first: the counts per finished prefill are exact, the lookups were inflated before vLLM 0.27. */
const CACHE_SOURCES: readonly { source: CacheSource; needs: readonly SeriesKey[] }[] = [
  { source: 'prompt_tokens_by_source', needs: ['promptTokensBySource'] },
  { source: 'prompt_tokens_cached', needs: ['promptTokensCached', 'promptTokens'] },
  { source: 'prefix_cache_queries', needs: ['cacheQueries', 'cacheHits'] },
];

/**
 * One reading from the text of a vLLM `/metrics`, any version since the V1 engine and either text format. `takenAt` in
 * ms. Ranks in ascending order; a text without vLLM's series gives none.
 */
export function readEngine(text: string, takenAt: number): EngineReading {
  const series = collectSeries(text);
  const cacheSource = cacheSourceOf(series);
  const settings = [...series.ranks.values(), series.unassigned].map(cacheSettings);
  return {
    takenAt,
    ranks: [...series.ranks.entries()]
      .sort(([a], [b]) => a - b)
      .map(([rank, own]) => rankReading(rank, own, { series, cacheSource })),
    processStartTime: series.processStartTime,
    cacheSource,
    blockSize: firstKnown(settings.map(({ blockSize }) => blockSize)),
    prefixCachingEnabled: firstKnown(settings.map(({ prefixCaching }) => prefixCaching)),
  };
}

function rankReading(
  rank: number,
  own: RankSeries,
  process: { series: EngineSeries; cacheSource: CacheSource | null },
): RankReading {
  const idle = hasNeverStepped(own) ? 0 : null;
  return {
    rank,
    running: sumOf(own, 'running') ?? idle,
    waiting: sumOf(own, 'waiting') ?? idle,
    kvUsage: childrenOf(own, 'kvUsage')?.at(-1)?.value ?? idle,
    promptTokens: sumOf(own, 'promptTokens'),
    ...cacheSplit(own, process.cacheSource),
    generationTokens: sumOf(own, 'generationTokens'),
    kvCapacityTokens: kvCapacity(own, process.series),
    finishedRequests: sumOf(own, 'finishedRequests'),
    abortedRequests: sumOf(own, 'finishedRequests', { label: 'finished_reason', wanted: 'abort' }),
    preemptions: sumOf(own, 'preemptions'),
  };
}

/**
 * With several API servers a rank's gauges appear with its first step (the Prometheus client leaves out gauges that no
 * process wrote), its counters from the start: seen on 0.32. Where those stand at 0, nothing ran and nothing waits.
 */
function hasNeverStepped(own: RankSeries): boolean {
  return sumOf(own, 'promptTokens') === 0 && sumOf(own, 'generationTokens') === 0;
}

/** One source for the whole process, so that its ranks can be compared and added up. */
function cacheSourceOf({ ranks }: EngineSeries): CacheSource | null {
  const all = [...ranks.values()];
  const found = CACHE_SOURCES.find(({ needs }) =>
    all.some((own) => needs.every((key) => childrenOf(own, key) !== null)),
  );
  return found?.source ?? null;
}

type CacheSplit = Pick<RankReading, 'cachedTokens' | 'computedTokens'>;

function cacheSplit(own: RankSeries, source: CacheSource | null): CacheSplit {
  switch (source) {
    case 'prompt_tokens_by_source': {
      // Tokens that a KV connector brought were not computed either, as in vLLM's own prompt_tokens_cached.
      const computed = sumOf(own, 'promptTokensBySource', { label: 'source', wanted: 'local_compute' });
      return { cachedTokens: rest(sumOf(own, 'promptTokensBySource'), computed), computedTokens: computed };
    }
    case 'prompt_tokens_cached': {
      const cached = sumOf(own, 'promptTokensCached');
      return { cachedTokens: cached, computedTokens: rest(sumOf(own, 'promptTokens'), cached) };
    }
    case 'prefix_cache_queries': {
      const hits = sumOf(own, 'cacheHits');
      return { cachedTokens: hits, computedTokens: rest(sumOf(own, 'cacheQueries'), hits) };
    }
    case null:
      return { cachedTokens: null, computedTokens: null };
  }
}

/** Never below 0: with several API servers the two counters are not read at the same instant. */
function rest(all: number | null, part: number | null): number | null {
  return all === null || part === null ? null : Math.max(0, all - part);
}

/**
 * `kv_cache_size_tokens` (since 0.23) is of one rank. `num_gpu_blocks` is the sum over the ranks of the process,
 * repeated on each of them.
 */
function kvCapacity(own: RankSeries, { ranks, unassigned }: EngineSeries): number | null {
  const settings = childrenOf(own, 'cacheConfig') === null ? cacheSettings(unassigned) : cacheSettings(own);
  if (settings.sizeTokens !== null) return settings.sizeTokens;
  if (settings.blocks === null || settings.blockSize === null) return null;
  return Math.floor(settings.blocks / ranks.size) * settings.blockSize;
}

function cacheSettings(own: RankSeries) {
  const labels = childrenOf(own, 'cacheConfig')?.at(-1)?.labels;
  return {
    sizeTokens: positive(labels?.get('kv_cache_size_tokens')),
    blocks: positive(labels?.get('num_gpu_blocks')),
    blockSize: positive(labels?.get('block_size')),
    prefixCaching: truth(labels?.get('enable_prefix_caching')),
  };
}

/** vLLM writes every setting as Python prints it: "16", "None". */
function positive(label: string | undefined): number | null {
  const value = Number(label);
  return Number.isFinite(value) && value > 0 ? value : null;
}

function truth(label: string | undefined): boolean | null {
  if (label === 'True') return true;
  return label === 'False' ? false : null;
}

function firstKnown<T>(values: readonly (T | null)[]): T | null {
  return values.find((value) => value !== null) ?? null;
}
