import { describe, expect, it } from 'vitest';
import type { RoutingState } from '#lib/contract/models.ts';
import { autoThreshold, derivation, parseThreshold, preview } from './threshold.ts';

const reported = { max_num_seqs: 32, max_num_seqs_source: 'engine', max_num_seqs_assumed: null } as const;
const assumed = { max_num_seqs: null, max_num_seqs_source: 'assumed', max_num_seqs_assumed: 256 } as const;
const unsaid = { max_num_seqs: null, max_num_seqs_source: 'assumed', max_num_seqs_assumed: null } as const;

describe('autoThreshold', () => {
  it.each([
    [reported, 8],
    [{ ...reported, max_num_seqs: 3 }, 1],
    [assumed, 64],
    [unsaid, null],
  ])('of %o is %s', (limits, expected) => {
    expect(autoThreshold(limits)).toBe(expected);
  });
});

describe('derivation', () => {
  it('shows the arithmetic and where the number is from', () => {
    expect(derivation(reported)).toBe('¼ of max_num_seqs 32 = 8 (as the engine reports it).');
    expect(derivation({ ...reported, max_num_seqs_source: 'config' })).toContain('as configured');
    expect(derivation({ ...reported, max_num_seqs: 30 })).toContain('max_num_seqs 30, rounded down, = 7');
    expect(derivation({ ...reported, max_num_seqs: 2 })).toContain('max_num_seqs 2, at least 1, = 1');
  });

  it('says that nobody knows max_num_seqs, and what is assumed', () => {
    expect(derivation(assumed)).toContain('256 is assumed, and ¼ of it = 64');
  });
});

describe('parseThreshold', () => {
  it.each(['', ' ', '0', '-3', '2.5', 'eight'])('refuses %j with a sentence', (text) => {
    expect(parseThreshold(text)).toHaveProperty('problem');
  });

  it('takes whole numbers from 1', () => {
    expect(parseThreshold('1')).toEqual({ value: 1 });
  });
});

describe('preview', () => {
  it('names the replicas that are at or over the threshold', () => {
    expect(preview(8, [replica(0, 7), replica(1, 8), replica(2, 12)])).toBe(
      'Would spill now: turns for replica 1 (8 in flight), 2 (12 in flight), as long as another has fewer.',
    );
  });

  it('says that nothing would spill', () => {
    expect(preview(8, [replica(0, 7)])).toContain('nothing would spill');
  });
});

function replica(number: number, inFlight: number): RoutingState['replicas'][number] {
  return {
    replica: number,
    url: 'http://engine',
    rank: number,
    health: 'up',
    draining: false,
    in_flight: inFlight,
    live_sessions: 0,
    placed: 0,
    sticky: 0,
    spilled_in: 0,
    failed_over_in: 0,
    client_pinned: 0,
    requests_running: null,
    requests_waiting: null,
    kv_cache_usage_percent: null,
    kv_capacity_tokens: null,
    prefix_cache_hit_percent: null,
    prefix_cache_hit_percent_5m: null,
  };
}
