import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { notReported } from './not-reported.ts';
import { readEngine } from './vllm-metrics.ts';

const complete = readEngine(
  readFileSync(new URL('../../fixtures/engine/metrics-4rank-multiproc.txt', import.meta.url), 'utf8'),
  0,
);
const KNOWN = { maxNumSeqs: 32, version: '0.28.0' };
const LOOKUPS_ONLY = { ...complete, cacheSource: 'prefix_cache_queries' } as const;

describe('notReported', () => {
  it('has nothing to say of an engine that reports everything', () => {
    expect(notReported(complete, KNOWN)).toEqual([]);
  });

  it('names --disable-log-stats where there is not one vLLM series', () => {
    expect(notReported({ ...complete, ranks: [] }, KNOWN)).toEqual([expect.stringContaining('--disable-log-stats')]);
  });

  it('asks for max_num_seqs where nobody knows it', () => {
    expect(notReported(complete, { ...KNOWN, maxNumSeqs: null })).toEqual([
      expect.stringContaining('Set max_num_seqs in the configuration'),
    ]);
  });

  it('says that the split into cached and computed is missing', () => {
    expect(notReported({ ...complete, cacheSource: null }, KNOWN)).toEqual([
      expect.stringMatching(/^Cached prompt tokens/),
    ]);
  });

  it.each(['0.26.0', '0.9.2', '0.26.1.dev3+g1234', null, 'unknown'])(
    'warns of inflated lookups on version %s',
    (version) => {
      expect(notReported(LOOKUPS_ONLY, { ...KNOWN, version })).toEqual([
        expect.stringContaining('prefix_cache_queries'),
      ]);
    },
  );

  it.each(['0.27.0', '0.30.0rc1', '1.0.0'])('trusts the lookups of version %s', (version) => {
    expect(notReported(LOOKUPS_ONLY, { ...KNOWN, version })).toEqual([]);
  });

  it('says that prefix caching is off, and then does not ask for its counters', () => {
    expect(notReported({ ...complete, prefixCachingEnabled: false, cacheSource: null }, KNOWN)).toEqual([
      expect.stringContaining('--enable-prefix-caching'),
    ]);
  });

  it('names each of the numbers that a rank lacks', () => {
    const [rank, ...others] = complete.ranks;
    if (rank === undefined) throw new Error('the fixture has ranks');
    const lacking = { ...rank, waiting: null, kvUsage: null, kvCapacityTokens: null };
    expect(notReported({ ...complete, ranks: [...others, lacking] }, KNOWN)).toEqual([
      expect.stringMatching(/^Running and waiting requests/),
      expect.stringMatching(/^KV cache usage/),
      expect.stringMatching(/^KV cache size/),
    ]);
  });
});
