import type { EngineReading, RankReading } from './types.ts';

/** `maxNumSeqs`: configured or reported, whichever is known. `version` as in vLLM's `/version`. */
type KnownFacts = { readonly maxNumSeqs: number | null; readonly version: string | null };

/** What an engine does not tell, or tells wrongly. */
export const ENGINE_LACKS = [
  'nothing',
  'load',
  'kv_usage',
  'caching_off',
  'cached',
  'inflated',
  'capacity',
  'max_num_seqs',
] as const;
export type EngineLack = (typeof ENGINE_LACKS)[number];

/** What each code means, and how to mend it: one sentence or two, for a person. */
export const LACK_SENTENCES: Readonly<Record<EngineLack, string>> = {
  nothing:
    'Load, KV cache and prompt tokens: /metrics has no vllm: series. Start vLLM without --disable-log-stats, and see ' +
    'that nothing in between hides its /metrics.',
  max_num_seqs:
    'max_num_seqs: vLLM does not report it. Set max_num_seqs in the configuration to what the engine was started with, ' +
    'so that the automatic spill threshold fits.',
  cached:
    'Cached prompt tokens: the engine has no counter for them. vLLM 0.16 and later report prompt_tokens_by_source.',
  inflated:
    'Prefix-cache hits are taken from prefix_cache_queries, which vLLM before 0.27 counts again at every step that a ' +
    'request waits: the hit share is wrong while requests queue. vLLM 0.16 and later report prompt_tokens_by_source.',
  capacity:
    'KV cache size: /metrics has no vllm:cache_config_info with the number of blocks (the Rust front end leaves it ' +
    'out). Use the Python front end to see how many conversations fit.',
  caching_off:
    'Prefix caching is off: every turn is computed from its first token, so affinity gains nothing. Start vLLM with ' +
    '--enable-prefix-caching.',
  load: 'Running and waiting requests: /metrics does not have them for every rank.',
  kv_usage: 'KV cache usage: /metrics does not have it for every rank.',
};

/** What this engine does not tell, or tells wrongly. */
export function engineLacks(reading: EngineReading, facts: KnownFacts): EngineLack[] {
  const lacks: EngineLack[] = reading.ranks.length === 0 ? ['nothing'] : missingSeries(reading, facts.version);
  return facts.maxNumSeqs === null ? [...lacks, 'max_num_seqs'] : lacks;
}

function missingSeries(reading: EngineReading, version: string | null): EngineLack[] {
  const lacks = (...names: (keyof RankReading)[]) =>
    reading.ranks.some((rank) => names.some((name) => rank[name] === null));
  const found: EngineLack[] = [];
  if (lacks('running', 'waiting')) found.push('load');
  if (lacks('kvUsage')) found.push('kv_usage');
  if (reading.prefixCachingEnabled === false) found.push('caching_off');
  else if (reading.cacheSource === null) found.push('cached');
  else if (reading.cacheSource === 'prefix_cache_queries' && !isAtLeast(version, [0, 27])) found.push('inflated');
  if (lacks('kvCapacityTokens')) found.push('capacity');
  return found;
}

/** False for a version that is unknown or is not written as numbers with dots. */
function isAtLeast(version: string | null, wanted: readonly [major: number, minor: number]): boolean {
  const [major, minor] = (version ?? '').split('.').map(Number);
  if (major === undefined || minor === undefined) return false;
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}
