import type { EngineProcess } from './engine-process.ts';
import type { LatencyHistogram } from './latency-histogram.ts';

type Labels = Readonly<Record<string, string>>;

/** Text exposition of one server process, all ranks, as vLLM writes it with several API servers (no `_created`). */
export function metricsText(engine: EngineProcess): string {
  const lines: string[] = [];
  const family = (name: string, type: string, help: string) => {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  };
  const sample = (name: string, labels: Labels, value: number) => {
    lines.push(`${name}${labelText(labels)} ${numberText(value)}`);
  };
  writeGauges(engine, family, sample);
  writeCounters(engine, family, sample);
  const histograms = [
    ['vllm:time_to_first_token_seconds', 'Histogram of time to first token in seconds.', engine.firstToken],
    ['vllm:e2e_request_latency_seconds', 'Histogram of e2e request latency in seconds.', engine.requestTime],
  ] as const;
  for (const [name, help, ranks] of histograms) {
    family(name, 'histogram', help);
    for (const [rank, histogram] of ranks.entries()) writeHistogram(name, rankLabels(engine, rank), histogram, sample);
  }
  // A vLLM with several ranks has several API servers, and then lacks it. Here it lets a test see a restart for sure.
  family('process_start_time_seconds', 'gauge', 'Start time of the process since unix epoch in seconds.');
  sample('process_start_time_seconds', {}, engine.startedAt);
  return `${lines.join('\n')}\n`;
}

type Family = (name: string, type: string, help: string) => void;
type Sample = (name: string, labels: Labels, value: number) => void;

function writeGauges(engine: EngineProcess, family: Family, sample: Sample): void {
  const gauges = engine.fleet.replicas.map((replica) => replica.gauges());
  const each = (name: string, help: string, value: (rank: number) => number, more: Labels = {}) => {
    if (help !== '') family(name, 'gauge', help);
    for (const rank of gauges.keys()) sample(name, { ...rankLabels(engine, rank), ...more }, value(rank));
  };
  const waiting = (rank: number) => gauges[rank]?.waiting ?? 0;
  each('vllm:num_requests_running', 'Number of requests in execution.', (rank) => gauges[rank]?.running ?? 0);
  each('vllm:num_requests_waiting', 'Number of requests waiting, all reasons.', waiting);
  const byReason = 'vllm:num_requests_waiting_by_reason';
  each(byReason, 'Waiting requests by reason.', waiting, { reason: 'capacity' });
  each(byReason, '', () => 0, { reason: 'deferred' });
  each('vllm:kv_cache_usage_perc', 'KV-cache usage. 1 means 100 percent.', (rank) => gauges[rank]?.kvUsage ?? 0);
  const sleep = 'vllm:engine_sleep_state';
  each(sleep, 'Engine sleep state flags.', () => 1, { sleep_state: 'awake' });
  each(sleep, '', () => 0, { sleep_state: 'weights_offloaded' });
  each(sleep, '', () => 0, { sleep_state: 'discard_all' });
  family('vllm:cache_config_info', 'gauge', 'Information of the LLMEngine CacheConfig.');
  for (const rank of gauges.keys()) sample('vllm:cache_config_info', cacheConfig(engine, rank), 1);
}

/** Every attribute of the cache configuration as a label; the number of blocks is summed over the ranks. */
function cacheConfig(engine: EngineProcess, rank: number): Labels {
  const { numBlocks, blockSize, maxModelLen } = engine.settings.profile;
  return {
    block_size: String(blockSize),
    cache_dtype: 'auto',
    enable_prefix_caching: 'True',
    engine: String(rank),
    gpu_memory_utilization: '0.92',
    kv_cache_max_concurrency: String((numBlocks * blockSize) / maxModelLen),
    kv_cache_size_tokens: String(numBlocks * blockSize),
    num_gpu_blocks: String(numBlocks * engine.settings.replicas),
    num_gpu_blocks_override: 'None',
    prefix_caching_hash_algo: 'sha256',
  };
}

function writeCounters(engine: EngineProcess, family: Family, sample: Sample): void {
  const counters = engine.fleet.replicas.map((replica) => replica.counters);
  type Counters = (typeof counters)[number];
  const each = (name: string, help: string, value: (counters: Counters) => number, more: Labels = {}) => {
    if (help !== '') family(name, 'counter', help);
    for (const [rank, own] of counters.entries()) sample(name, { ...rankLabels(engine, rank), ...more }, value(own));
  };
  const none = () => 0;
  each('vllm:prefix_cache_queries_total', 'Prompt tokens looked up.', (own) => own.prefixQueries);
  each('vllm:prefix_cache_hits_total', 'Prompt tokens found.', (own) => own.prefixHits);
  each('vllm:external_prefix_cache_queries_total', 'Tokens looked up by the KV connector.', none);
  each('vllm:external_prefix_cache_hits_total', 'Tokens found by the KV connector.', none);
  each('vllm:mm_cache_queries_total', 'Multi-modal items looked up.', none);
  each('vllm:mm_cache_hits_total', 'Multi-modal items found.', none);
  each('vllm:num_preemptions_total', 'Preemptions.', (own) => own.preemptions);
  each('vllm:prompt_tokens_total', 'Prefill tokens processed.', (own) => own.promptTokens);
  const bySource = 'vllm:prompt_tokens_by_source_total';
  each(bySource, 'Prompt tokens by source.', (own) => own.computedTokens, { source: 'local_compute' });
  each(bySource, '', (own) => own.cachedTokens, { source: 'local_cache_hit' });
  each(bySource, '', none, { source: 'external_kv_transfer' });
  each('vllm:prompt_tokens_cached_total', 'Prompt tokens not computed.', (own) => own.cachedTokens);
  each('vllm:generation_tokens_total', 'Generation tokens processed.', (own) => own.generationTokens);
  const finished = 'vllm:request_success_total';
  each(finished, 'Finished requests.', (own) => own.finished.stop, { finished_reason: 'stop' });
  each(finished, '', (own) => own.finished.length, { finished_reason: 'length' });
  // vLLM (0.32) ends the work of a client that left, and counts it under no reason.
  each(finished, '', none, { finished_reason: 'abort' });
  each(finished, '', none, { finished_reason: 'error' });
  each(finished, '', none, { finished_reason: 'repetition' });
}

function writeHistogram(name: string, labels: Labels, histogram: LatencyHistogram, sample: Sample): void {
  for (const [index, bound] of histogram.bounds.entries()) {
    sample(`${name}_bucket`, { ...labels, le: numberText(bound) }, histogram.upTo(index));
  }
  sample(`${name}_bucket`, { ...labels, le: '+Inf' }, histogram.count);
  sample(`${name}_count`, labels, histogram.count);
  sample(`${name}_sum`, labels, histogram.sum);
}

function rankLabels(engine: EngineProcess, rank: number): Labels {
  return { engine: String(rank), model_name: engine.settings.servedModelName };
}

/** The Python client sorts labels by name. */
function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (pairs.length === 0) return '';
  return `{${pairs.map(([name, value]) => `${name}="${value.replace(/(["\\])/g, '\\$1')}"`).join(',')}}`;
}

/** Numbers are Python floats: `3` is `3.0`. */
function numberText(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
