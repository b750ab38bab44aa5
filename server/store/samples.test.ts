import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANGE_NAMES, RANGES } from '#lib/series/range.ts';
import { memoryDatabase, sampleRow, temporaryDatabase, write } from './fixtures-for-tests.ts';
import type { ReplicaSampleRow } from './store.ts';

const NOW = Date.parse('2027-03-04T05:06:07.890Z');
const DAY_MS = 86_400_000;

describe('the series of the replicas', () => {
  it('has exact means, maxima and sums in every range', () => {
    const gauge = fc.option(fc.integer({ min: 0, max: 40 }));
    const reading = fc.record({
      age: fc.oneof(fc.integer({ min: 0, max: 900_000 }), fc.integer({ min: 0, max: 30 * DAY_MS })),
      replica: fc.integer({ min: 0, max: 2 }),
      inFlight: fc.integer({ min: 0, max: 40 }),
      running: gauge,
      kvMilli: fc.option(fc.integer({ min: 0, max: 1000 })),
      cachedTokens: fc.option(fc.integer({ min: 0, max: 90_000 })),
    });
    const batch = fc.uniqueArray(reading, { selector: ({ age, replica }) => `${age} ${replica}`, maxLength: 30 });
    fc.assert(
      fc.property(batch, (readings) => {
        const database = memoryDatabase();
        const samples = readings.map(({ age, kvMilli, ...rest }) =>
          sampleRow({ ...rest, takenAt: NOW - age, kvUsage: kvMilli === null ? null : kvMilli / 1000 }),
        );
        write(database, { samples: samples.slice(0, 10) });
        write(database, { samples: samples.slice(10) });
        for (const name of RANGE_NAMES) {
          for (const { replica, buckets } of database.replicaSeries('qwen', name, NOW)) {
            for (const bar of buckets) {
              const rows = samples.filter((row) => row.replica === replica && barOf(row, name) === bar.start);
              expect(bar.inFlight).toEqual(summary(rows.map((row) => row.inFlight)));
              expect(bar.running).toEqual(summary(rows.map((row) => row.running)));
              expect(bar.kvUsage?.max ?? null).toEqual(summary(rows.map((row) => row.kvUsage))?.max ?? null);
              expect(bar.cachedTokens).toEqual(total(rows.map((row) => row.cachedTokens)));
            }
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('says nothing of what an engine does not report', () => {
    const { database } = temporaryDatabase();
    const silent = { running: null, waiting: null, kvUsage: null, cachedTokens: null, computedTokens: null };
    write(database, { samples: [sampleRow({ takenAt: NOW, ...silent })] });
    for (const name of RANGE_NAMES) {
      expect(database.replicaSeries('qwen', name, NOW)[0]?.buckets.at(-1)).toMatchObject({
        inFlight: { mean: 3, max: 3 },
        running: null,
        waiting: null,
        kvUsage: null,
        busyShare: null,
        cachedTokens: null,
        computedTokens: null,
      });
    }
  });

  it('counts the readings at which a replica was busy', () => {
    const { database } = temporaryDatabase();
    const running = [0, 3, null, 1, 0];
    write(database, { samples: running.map((value, index) => sampleRow({ takenAt: NOW - index, running: value })) });
    expect(database.replicaSeries('qwen', '15m', NOW)[0]?.buckets.at(-1)?.busyShare).toBe(0.5);
    expect(database.replicaSeries('qwen', '7d', NOW)[0]?.buckets.at(-1)?.busyShare).toBe(0.5);
  });

  it('takes a reading once, also when it comes twice', () => {
    const { database } = temporaryDatabase();
    write(database, { samples: [sampleRow({ takenAt: NOW }), sampleRow({ takenAt: NOW, inFlight: 99 })] });
    for (const name of RANGE_NAMES) {
      const bar = database.replicaSeries('qwen', name, NOW)[0]?.buckets.at(-1);
      expect(bar).toMatchObject({ inFlight: { mean: 3, max: 3 }, cachedTokens: 900 });
    }
  });

  it('has only the replicas of the model that have readings in the range', () => {
    const { database } = temporaryDatabase();
    write(database, {
      samples: [
        sampleRow({ takenAt: NOW, replica: 3 }),
        sampleRow({ takenAt: NOW, replica: 0, model: 'llama' }),
        sampleRow({ takenAt: NOW - 2 * DAY_MS, replica: 7 }),
      ],
    });
    expect(database.replicaSeries('qwen', '1h', NOW).map((series) => series.replica)).toEqual([3]);
    expect(database.replicaSeries('qwen', '7d', NOW).map((series) => series.replica)).toEqual([3, 7]);
    expect(database.replicaSeries('never seen', '7d', NOW)).toEqual([]);
  });
});

function barOf(row: ReplicaSampleRow, name: (typeof RANGE_NAMES)[number]): number {
  const width = RANGES[name].bucketSeconds;
  return Math.floor(row.takenAt / 1000 / width) * width;
}

function total(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function summary(values: readonly (number | null)[]): { mean: number; max: number } | null {
  const known = values.filter((value) => value !== null);
  const sum = total(known);
  return sum === null ? null : { mean: sum / known.length, max: Math.max(...known) };
}
