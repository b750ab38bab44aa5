import { parseExposition } from './prometheus-text.ts';

/**
 * What we read of vLLM and the names it has had, newest first, without the `vllm:` in front and without the `_total`
 * that counters carry since the V1 engine. Other suffixes (`_created`, `_bucket` …) are other series.
 */
const NAMES = {
  running: ['num_requests_running'],
  waiting: ['num_requests_waiting'],
  kvUsage: ['kv_cache_usage_perc', 'gpu_cache_usage_perc'],
  promptTokens: ['prompt_tokens'],
  promptTokensBySource: ['prompt_tokens_by_source'],
  promptTokensCached: ['prompt_tokens_cached'],
  cacheQueries: ['prefix_cache_queries', 'gpu_prefix_cache_queries'],
  cacheHits: ['prefix_cache_hits', 'gpu_prefix_cache_hits'],
  generationTokens: ['generation_tokens'],
  finishedRequests: ['request_success'],
  preemptions: ['num_preemptions'],
  cacheConfig: ['cache_config_info'],
} as const satisfies Record<string, readonly string[]>;

export type SeriesKey = keyof typeof NAMES;

/** One sample without its name. */
type Entry = { readonly labels: ReadonlyMap<string, string>; readonly value: number };

/** All samples of one rank: exposed name (without prefix and `_total`) to its children. */
export type RankSeries = ReadonlyMap<string, readonly Entry[]>;

export type EngineSeries = {
  readonly ranks: ReadonlyMap<number, RankSeries>;
  /** Series without an `engine` label where there are several ranks, so that they belong to none. */
  readonly unassigned: RankSeries;
  /** Unix seconds. */
  readonly processStartTime: number | null;
};

const NO_SERIES: RankSeries = new Map();
const PREFIX = 'vllm:';
const TOTAL = '_total';
const PROCESS_START = 'process_start_time_seconds';
const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** Sorts the samples we know out of a metrics text, by rank. Values that are not finite are left out. */
export function collectSeries(text: string): EngineSeries {
  const byRank = new Map<number | null, Map<string, Entry[]>>();
  let processStartTime: number | null = null;
  for (const { name, labels, value } of parseExposition(text, isKnown)) {
    if (!Number.isFinite(value)) continue;
    if (name === PROCESS_START) {
      processStartTime = value;
      continue;
    }
    const rank = rankOf(labels.get('engine'));
    if (rank === undefined) continue;
    const series = byRank.get(rank) ?? new Map<string, Entry[]>();
    byRank.set(rank, series);
    const entries = series.get(baseName(name));
    if (entries === undefined) series.set(baseName(name), [{ labels, value }]);
    else entries.push({ labels, value });
  }
  return { ...assign(byRank), processStartTime };
}

/** The children of a series under the newest name that the rank has it by; null where it has none. */
export function childrenOf(series: RankSeries, key: SeriesKey): readonly Entry[] | null {
  for (const name of NAMES[key]) {
    const entries = series.get(name);
    if (entries !== undefined) return entries;
  }
  return null;
}

/** Sum over the children of a series, of those with `label` equal to `wanted` where given; null where it is absent. */
export function sumOf(series: RankSeries, key: SeriesKey, only?: { label: string; wanted: string }): number | null {
  const entries = childrenOf(series, key);
  if (entries === null) return null;
  let sum = 0;
  for (const { labels, value } of entries) {
    if (only === undefined || labels.get(only.label) === only.wanted) sum += value;
  }
  return sum;
}

function isKnown(name: string): boolean {
  return name === PROCESS_START || (name.startsWith(PREFIX) && KNOWN.has(baseName(name)));
}

function baseName(name: string): string {
  return name.slice(PREFIX.length, name.endsWith(TOTAL) ? -TOTAL.length : undefined);
}

/** Null for a series without the label, undefined for a label that is not a rank. */
function rankOf(label: string | undefined): number | null | undefined {
  if (label === undefined) return null;
  const rank = label === '' ? Number.NaN : Number(label);
  return Number.isInteger(rank) && rank >= 0 ? rank : undefined;
}

function assign(byRank: ReadonlyMap<number | null, RankSeries>): Omit<EngineSeries, 'processStartTime'> {
  const unlabelled = byRank.get(null) ?? NO_SERIES;
  const ranks = new Map<number, RankSeries>();
  for (const [rank, series] of byRank) if (rank !== null) ranks.set(rank, series);
  const [only] = ranks;
  if (only === undefined) {
    if (unlabelled.size > 0) ranks.set(0, unlabelled);
  } else if (ranks.size === 1) {
    ranks.set(only[0], new Map([...unlabelled, ...only[1]]));
  }
  return { ranks, unassigned: ranks.size > 1 ? unlabelled : NO_SERIES };
}
