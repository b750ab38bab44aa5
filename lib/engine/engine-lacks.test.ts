import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineLacks, LACK_SENTENCES } from './engine-lacks.ts';
import { readEngine } from './vllm-metrics.ts';

const complete = readEngine(
  readFileSync(new URL('../../fixtures/engine/metrics-4rank-multiproc.txt', import.meta.url), 'utf8'),
  0,
);
const KNOWN = { maxNumSeqs: 32, version: '0.28.0' };
const LOOKUPS_ONLY = { ...complete, cacheSource: 'prefix_cache_queries' } as const;

describe('what an engine lacks', () => {
  it('has nothing to say of an engine that reports everything', () => {
    expect(engineLacks(complete, KNOWN)).toEqual([]);
  });

  it('names --disable-log-stats where there is not one vLLM series', () => {
    expect(engineLacks({ ...complete, ranks: [] }, KNOWN)).toEqual(['nothing']);
  });

  it('asks for max_num_seqs where nobody knows it', () => {
    expect(engineLacks(complete, { ...KNOWN, maxNumSeqs: null })).toEqual(['max_num_seqs']);
  });

  it('says that the split into cached and computed is missing', () => {
    expect(engineLacks({ ...complete, cacheSource: null }, KNOWN)).toEqual(['cached']);
  });

  it.each(['0.26.0', '0.9.2', '0.26.1.dev3+g1234', null, 'unknown'])(
    'warns of inflated lookups on version %s',
    (version) => {
      expect(engineLacks(LOOKUPS_ONLY, { ...KNOWN, version })).toEqual(['inflated']);
    },
  );

  it.each(['0.27.0', '0.30.0rc1', '1.0.0'])('trusts the lookups of version %s', (version) => {
    expect(engineLacks(LOOKUPS_ONLY, { ...KNOWN, version })).toEqual([]);
  });

  it('says that prefix caching is off, and then does not ask for its counters', () => {
    expect(engineLacks({ ...complete, prefixCachingEnabled: false, cacheSource: null }, KNOWN)).toEqual([
      'caching_off',
    ]);
  });

  it('names each of the numbers that a rank lacks', () => {
    const [rank, ...others] = complete.ranks;
    if (rank === undefined) throw new Error('the fixture has ranks');
    const lacking = { ...rank, waiting: null, kvUsage: null, kvCapacityTokens: null };
    expect(engineLacks({ ...complete, ranks: [...others, lacking] }, KNOWN)).toEqual(['load', 'kv_usage', 'capacity']);
  });

  it('is said with the flag or the setting that mends it', () => {
    expect(LACK_SENTENCES.nothing).toContain('--disable-log-stats');
    expect(LACK_SENTENCES.caching_off).toContain('--enable-prefix-caching');
    expect(LACK_SENTENCES.max_num_seqs).toContain('Set max_num_seqs in the configuration');
  });
});
