import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANGE_NAMES, RANGES } from '#lib/series/range.ts';
import { memoryDatabase, requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';
import type { LatencySummary, RequestRow } from './store.ts';

const NOW = Date.parse('2027-03-04T05:06:07.890Z');
const DAY_MS = 86_400_000;
const UNKNOWN: LatencySummary = { count: 0, mean: null, p50: null, p95: null, p99: null };

describe('the latency series', () => {
  it('counts every answer once in every range, with an exact mean and quantiles within 10 %', () => {
    const answer = fc.record({
      age: fc.oneof(fc.integer({ min: 0, max: 900_000 }), fc.integer({ min: 0, max: 30 * DAY_MS })),
      ttfbMs: fc.integer({ min: 1, max: 600_000 }),
      restMs: fc.integer({ min: 0, max: 600_000 }),
      model: fc.constantFrom('qwen', 'llama'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(answer, { maxLength: 10 }), { maxLength: 5 }), (batches) => {
        const database = memoryDatabase();
        const sent = batches.map((batch) =>
          batch.map(({ age, ttfbMs, restMs, model }) => answered(NOW - age, ttfbMs, ttfbMs + restMs, model)),
        );
        for (const requests of sent) write(database, { requests });
        for (const name of RANGE_NAMES) {
          for (const bar of database.latencySeries('qwen', name, NOW)) {
            const rows = sent.flat().filter((row) => row.model === 'qwen' && barOf(row, name) === bar.start);
            expectSummary(
              bar.ttfb,
              rows.map((row) => row.ttfbMs ?? Number.NaN),
            );
            expectSummary(
              bar.duration,
              rows.map((row) => row.finishedAt - row.startedAt),
            );
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('has a bar without numbers where nothing finished', () => {
    const { database } = temporaryDatabase();
    const bars = database.latencySeries(null, '24h', NOW);
    expect(bars).toHaveLength(96);
    expect(bars.every((bar) => bar.ttfb.count === 0)).toBe(true);
    expect(bars.at(-1)).toMatchObject({ ttfb: UNKNOWN, duration: UNKNOWN });
  });

  it('leaves errors out, and counts only the first byte of a request whose client left', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ finishedAt: NOW, status: 502, outcome: 'upstream_failed', ttfbMs: 3 }),
        requestRow({ finishedAt: NOW, status: 400, outcome: 'ok', ttfbMs: 4 }),
        requestRow({ finishedAt: NOW, outcome: 'engine_error', ttfbMs: 5 }),
        requestRow({ finishedAt: NOW, outcome: 'client_left', ttfbMs: 600 }),
        requestRow({ finishedAt: NOW, outcome: 'client_left', ttfbMs: null }),
      ],
    });
    for (const name of RANGE_NAMES) {
      const bar = database.latencySeries('qwen', name, NOW).at(-1);
      expect(bar?.ttfb).toMatchObject({ count: 1, mean: 600 });
      expect(bar?.duration).toEqual(UNKNOWN);
    }
  });
});

function answered(finishedAt: number, ttfbMs: number, durationMs: number, model: string): RequestRow {
  return requestRow({ finishedAt, startedAt: finishedAt - durationMs, ttfbMs, model });
}

function barOf(row: RequestRow, name: (typeof RANGE_NAMES)[number]): number {
  const width = RANGES[name].bucketSeconds;
  return Math.floor(row.finishedAt / 1000 / width) * width;
}

function expectSummary(summary: LatencySummary, values: readonly number[]): void {
  if (values.length === 0) {
    expect(summary).toEqual(UNKNOWN);
    return;
  }
  expect(summary.count).toBe(values.length);
  expect(summary.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 6);
  const sorted = values.toSorted((a, b) => a - b);
  for (const [quantile, share] of [
    [summary.p50, 0.5],
    [summary.p95, 0.95],
    [summary.p99, 0.99],
  ] as const) {
    const truth = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    expect(Math.abs((quantile ?? Number.NaN) - truth) / truth).toBeLessThanOrEqual(0.1);
  }
}
