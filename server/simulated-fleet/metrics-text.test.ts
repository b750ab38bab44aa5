import { describe, expect, it } from 'vitest';
import { readEngine } from '#lib/engine/vllm-metrics.ts';
import { post, testFleet, WORDS } from './fleet-testing.ts';

const model = 'qwen3-4b-dp4';

/** Samples as `name{labels}` to number. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

async function fleetAfterTraffic() {
  const fleet = await testFleet();
  const ask = async (content: string, rank: number, more = {}) => {
    const body = { model, messages: [{ role: 'user', content }], max_tokens: 10, ...more };
    const options = { headers: { 'x-data-parallel-rank': String(rank) } };
    await (await post(fleet, '/v1/chat/completions', body, options)).text();
  };
  await ask(WORDS.repeat(30), 1);
  await ask(WORDS.repeat(40), 1);
  await ask(WORDS, 3, { max_tokens: 1000 });
  return { fleet, text: await (await fetch(`${fleet.url}/metrics`)).text() };
}

describe('metrics text', () => {
  it('gives every sample a number, and every family its help and type', async () => {
    const { text } = await fleetAfterTraffic();
    const samples = parse(text);
    for (const [name, value] of samples) expect(value, name).not.toBeNaN();
    for (const [, family] of text.matchAll(/^# TYPE (\S+) /gm)) {
      expect(text).toContain(`# HELP ${family} `);
      expect([...samples.keys()].some((name) => name.startsWith(String(family)))).toBe(true);
    }
    const typed = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, family]) => family);
    expect(new Set(typed).size).toBe(typed.length);
    expect(text).not.toContain('_created');
  });

  it('labels every series with its rank and model, and the cache configuration with the sum of blocks', async () => {
    const { text } = await fleetAfterTraffic();
    for (const name of parse(text).keys()) {
      if (name === 'process_start_time_seconds') continue;
      expect(name).toMatch(/engine="[0-3]"/);
      expect(name.includes('model_name="qwen3-4b-dp4"')).toBe(!name.startsWith('vllm:cache_config_info'));
    }
    expect(text).toContain(`num_gpu_blocks="${4 * 10_240}"`);
    expect(text).toContain('kv_cache_size_tokens="163840"');
  });

  it('has counters that add up', async () => {
    const { fleet, text } = await fleetAfterTraffic();
    const samples = parse(text);
    const value = (name: string, rank: number, more = '') =>
      samples.get(`vllm:${name}{engine="${rank}",${more}}`.replace(',}', '}')) ?? Number.NaN;
    const label = `model_name="${model}"`;
    for (const [rank, gauges] of fleet.gauges().entries()) {
      const source = (which: string) => value('prompt_tokens_by_source_total', rank, `${label},source="${which}"`);
      const computed = source('local_compute');
      const cached = source('local_cache_hit');
      expect([computed, cached]).toEqual([gauges.computedTokens, gauges.cachedTokens]);
      expect(value('prompt_tokens_total', rank, label)).toBe(computed + cached + source('external_kv_transfer'));
      expect(value('prompt_tokens_cached_total', rank, label)).toBe(cached);
      expect(value('prefix_cache_hits_total', rank, label)).toBe(cached);
      expect(value('prefix_cache_queries_total', rank, label)).toBe(computed + cached);
      expect(value('generation_tokens_total', rank, label)).toBe(gauges.generationTokens);
      const reasons = ['stop', 'length', 'abort', 'error', 'repetition'].map((reason) =>
        value('request_success_total', rank, `finished_reason="${reason}",${label}`),
      );
      expect(reasons.reduce((sum, count) => sum + count)).toBe(gauges.finished);
      for (const histogram of ['time_to_first_token_seconds', 'e2e_request_latency_seconds']) {
        expect(value(`${histogram}_count`, rank, label)).toBe(gauges.finished);
        expect(value(`${histogram}_bucket`, rank, `le="+Inf",${label}`)).toBe(gauges.finished);
      }
    }
    expect(fleet.gauges()[1]?.cachedTokens).toBeGreaterThan(400);
  });

  it('is understood by the router’s own reader', async () => {
    const { fleet, text } = await fleetAfterTraffic();
    const reading = readEngine(text, 5);
    expect(reading).toMatchObject({
      blockSize: 16,
      prefixCachingEnabled: true,
      cacheSource: 'prompt_tokens_by_source',
    });
    expect(reading.processStartTime).toBeGreaterThan(1.7e9);
    expect(reading.ranks).toEqual(
      fleet.gauges().map((gauges, rank) => ({
        rank,
        running: 0,
        waiting: 0,
        kvUsage: 0,
        promptTokens: gauges.cachedTokens + gauges.computedTokens,
        cachedTokens: gauges.cachedTokens,
        computedTokens: gauges.computedTokens,
        generationTokens: gauges.generationTokens,
        kvCapacityTokens: 163_840,
        finishedRequests: gauges.finished,
        abortedRequests: gauges.aborted,
        preemptions: 0,
      })),
    );
  });
});
