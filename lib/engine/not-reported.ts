import type { EngineReading, RankReading } from './types.ts';

/** `maxNumSeqs`: configured or reported, whichever is known. `version` as in vLLM's `/version`. */
type KnownFacts = { readonly maxNumSeqs: number | null; readonly version: string | null };

/** What this engine does not tell, or tells wrongly, and how to mend it: one sentence or two each, for a person. */
export function notReported(reading: EngineReading, facts: KnownFacts): string[] {
  const sentences = reading.ranks.length === 0 ? [NOTHING] : missingSeries(reading, facts.version);
  return facts.maxNumSeqs === null ? [...sentences, MAX_NUM_SEQS] : sentences;
}

const NOTHING =
  'Load, KV cache and prompt tokens: /metrics has no vllm: series. Start vLLM without --disable-log-stats, and see ' +
  'that nothing in between hides its /metrics.';
const MAX_NUM_SEQS =
  'max_num_seqs: vLLM does not report it. Set max_num_seqs in the configuration to what the engine was started with, ' +
  'so that the automatic spill threshold fits.';
const CACHED =
  'Cached prompt tokens: the engine has no counter for them. vLLM 0.16 and later report prompt_tokens_by_source.';
const INFLATED =
  'Prefix-cache hits are taken from prefix_cache_queries, which vLLM before 0.27 counts again at every step that a ' +
  'request waits: the hit share is wrong while requests queue. vLLM 0.16 and later report prompt_tokens_by_source.';
const CAPACITY =
  'KV cache size: /metrics has no vllm:cache_config_info with the number of blocks (the Rust front end leaves it ' +
  'out). Use the Python front end to see how many conversations fit.';
const CACHING_OFF =
  'Prefix caching is off: every turn is computed from its first token, so affinity gains nothing. Start vLLM with ' +
  '--enable-prefix-caching.';
const LOAD = 'Running and waiting requests: /metrics does not have them for every rank.';
const KV_USAGE = 'KV cache usage: /metrics does not have it for every rank.';

function missingSeries(reading: EngineReading, version: string | null): string[] {
  const lacks = (...names: (keyof RankReading)[]) =>
    reading.ranks.some((rank) => names.some((name) => rank[name] === null));
  const sentences: string[] = [];
  if (lacks('running', 'waiting')) sentences.push(LOAD);
  if (lacks('kvUsage')) sentences.push(KV_USAGE);
  if (reading.prefixCachingEnabled === false) sentences.push(CACHING_OFF);
  else if (reading.cacheSource === null) sentences.push(CACHED);
  else if (reading.cacheSource === 'prefix_cache_queries' && !isAtLeast(version, [0, 27])) sentences.push(INFLATED);
  if (lacks('kvCapacityTokens')) sentences.push(CAPACITY);
  return sentences;
}

/** False for a version that is unknown or is not written as numbers with dots. */
function isAtLeast(version: string | null, wanted: readonly [major: number, minor: number]): boolean {
  const [major, minor] = (version ?? '').split('.').map(Number);
  if (major === undefined || minor === undefined) return false;
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}
