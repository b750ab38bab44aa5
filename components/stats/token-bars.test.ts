import { describe, expect, it } from 'vitest';
import type { TokenSeries } from '#lib/contract/series.ts';
import { tokenBars } from './token-bars.ts';
import { completionSentence, promptSentence } from './token-sentence.ts';

const series: TokenSeries = {
  window: '1h',
  period: 'current',
  from: '2026-11-30T12:00:00.000Z',
  to: '2026-11-30T12:03:00.000Z',
  last_bucket_filling: true,
  totals: {
    prompt_cached_tokens: 66_060,
    prompt_computed_tokens: 31_200,
    completion_tokens: 1800,
    requests: 3,
    measured_requests: 3,
  },
  bucket_seconds: 60,
  buckets: [bucket('12:00', 6000, 1200, 600), bucket('12:01', 60_000, 30_000, 1200), bucket('12:02', 60, 0, 0)],
  cache_hit_percent: 78.4,
  measured_percent: 96,
  cache_hit_percent_1h: 78.4,
};

describe('tokenBars', () => {
  it('divides by the width of the bucket, the last, still filling one too', () => {
    expect(tokenBars(series).map(({ cached, computed, completion }) => [cached, computed, completion])).toEqual([
      [100, 20, 10],
      [1000, 500, 20],
      [1, 0, 0],
    ]);
  });

  it('marks the last bucket as still filling', () => {
    expect(tokenBars(series).map(({ isFilling }) => isFilling)).toEqual([false, false, true]);
  });
});

describe('the sentences', () => {
  it('name the peaks, when they were, and the cached share', () => {
    const bars = tokenBars(series);
    expect(promptSentence(bars, series, 'UTC')).toBe(
      'Prompt tokens per second over the last hour: at most 1.5k, at 12:01. 78% of the measured prompt tokens were cached.',
    );
    expect(completionSentence(bars, '1h', 'UTC')).toBe(
      'Completion tokens per second over the last hour: at most 20, at 12:01.',
    );
  });

  it('say not reported where nothing was measured', () => {
    expect(promptSentence(tokenBars(series), { ...series, cache_hit_percent: null }, 'UTC')).toContain('not reported');
  });

  it('say that there is nothing', () => {
    expect(promptSentence([], series, 'UTC')).toBe('Prompt tokens per second over the last hour: none.');
    expect(completionSentence([], '24h', 'UTC')).toBe('Completion tokens per second over the last 24 hours: none.');
  });

  it('name the day of a peak in a long range', () => {
    expect(completionSentence(tokenBars(series), '7d', 'Pacific/Kiritimati')).toContain('at 02:01');
    const early = { ...bucket('12:00', 0, 0, 99_999), time: '2026-11-28T12:00:00Z' };
    const bars = tokenBars({ ...series, buckets: [early, ...series.buckets] });
    expect(completionSentence(bars, '7d', 'UTC')).toContain('at 28 Nov, 12:00');
  });
});

function bucket(clock: string, cached: number, computed: number, completion: number): TokenSeries['buckets'][number] {
  return {
    time: `2026-11-30T${clock}:00Z`,
    prompt_cached_tokens: cached,
    prompt_computed_tokens: computed,
    completion_tokens: completion,
    requests: 1,
    measured_requests: 1,
  };
}
