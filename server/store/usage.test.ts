import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANGE_NAMES, RANGES, rangeWindow } from '#lib/series/range.ts';
import { memoryDatabase, requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';
import type { RequestRow, TokenBucket } from './store.ts';

const NOW = Date.parse('2027-03-04T05:06:07.890Z');
const DAY_MS = 86_400_000;

describe('the token series', () => {
  it('adds up to exactly what was sent, in every range, whatever order requests arrive in', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyRequest(), { maxLength: 12 }), { maxLength: 6 }), (batches) => {
        const database = memoryDatabase();
        for (const requests of batches) write(database, { requests });
        for (const name of RANGE_NAMES) {
          for (const model of [null, 'qwen', 'llama', 'never seen']) {
            const sent = batches.flat().filter((row) => model === null || row.model === model);
            expect(database.tokenSeries(model, name, NOW)).toEqual(expectedSeries(sent, name));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('credits a request to the bar in which it finished', () => {
    const { database } = temporaryDatabase();
    const finishedAt = Date.parse('2027-03-04T05:06:00.000Z');
    write(database, { requests: [requestRow({ startedAt: finishedAt - 90_000, finishedAt })] });
    const filled = database.tokenSeries(null, '1h', NOW).filter((bar) => bar.requests > 0);
    expect(filled.map((bar) => bar.start * 1000)).toEqual([finishedAt]);
  });

  it('counts a request that was not measured as computed, and a failed one as a request only', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ finishedAt: NOW, promptTokens: 1000, cachedTokens: null, completionTokens: 10 }),
        requestRow({ finishedAt: NOW, promptTokens: null, cachedTokens: null, completionTokens: null, status: 502 }),
        requestRow({ finishedAt: NOW, promptTokens: 500, cachedTokens: 0, completionTokens: 5 }),
      ],
    });
    const bar = database.tokenSeries('qwen', '15m', NOW).at(-1);
    expect(bar).toMatchObject({ requests: 3, measured: 1, cached: 0, computed: 1500, completion: 15 });
  });

  it('puts a thousand requests of a quarter of an hour into bars, not each into its own', () => {
    // JavaScript numbers are bound as REAL: a division by one does not round, and every row becomes a bar of its own.
    const { database } = temporaryDatabase();
    const requests = Array.from({ length: 1000 }, (_, index) => requestRow({ finishedAt: NOW - index * 777 }));
    write(database, { requests });
    const bars = database.tokenSeries(null, '15m', NOW);
    expect(bars).toHaveLength(60);
    expect(Math.max(...bars.map((bar) => bar.requests))).toBe(20);
    expect(bars.every((bar) => Number.isInteger(bar.start) && bar.start % 15 === 0)).toBe(true);
  });

  it('keeps what the rollups counted when the requests themselves were deleted', () => {
    const { database } = temporaryDatabase({ requestRows: 1 });
    write(database, { requests: [requestRow({ finishedAt: NOW - 60_000 }), requestRow({ finishedAt: NOW })] });
    while (database.retain(NOW));
    expect(database.requests(null, 10)).toHaveLength(1);
    expect(total(database.tokenSeries(null, '1h', NOW), 'requests')).toBe(2);
  });
});

describe('the hit share', () => {
  it('is cached over prompt tokens of the measured requests, beside the share of prompt tokens they make up', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ finishedAt: NOW, promptTokens: 1000, cachedTokens: 900 }),
        requestRow({ finishedAt: NOW, promptTokens: 3000, cachedTokens: null }),
        requestRow({ finishedAt: NOW, promptTokens: null, cachedTokens: null }),
      ],
    });
    expect(database.hitShare('qwen', 3600, NOW)).toEqual({ hitShare: 0.9, measuredShare: 0.25 });
  });

  it('is unknown where nothing was measured', () => {
    const { database } = temporaryDatabase();
    expect(database.hitShare(null, 3600, NOW)).toEqual({ hitShare: null, measuredShare: null });
    write(database, { requests: [requestRow({ finishedAt: NOW, promptTokens: 10, cachedTokens: null })] });
    expect(database.hitShare(null, 3600, NOW)).toEqual({ hitShare: null, measuredShare: 0 });
  });

  it('agrees with the chart of the same length', () => {
    fc.assert(
      fc.property(fc.array(anyRequest(), { minLength: 1, maxLength: 30 }), (requests) => {
        const database = memoryDatabase();
        const measured = requests.map((row) => ({ ...row, cachedTokens: row.cachedTokens ?? row.promptTokens }));
        write(database, { requests: measured });
        for (const name of RANGE_NAMES) {
          const bars = database.tokenSeries(null, name, NOW);
          const prompt = total(bars, 'cached') + total(bars, 'computed');
          const { hitShare } = database.hitShare(null, RANGES[name].seconds, NOW);
          expect(hitShare).toEqual(prompt === 0 ? null : total(bars, 'cached') / prompt);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('leaves out what finished before its window', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ finishedAt: NOW - 400_000, promptTokens: 100, cachedTokens: 0 }),
        requestRow({ finishedAt: NOW - 100_000, promptTokens: 100, cachedTokens: 100 }),
      ],
    });
    expect(database.hitShare(null, 300, NOW).hitShare).toBe(1);
    expect(database.hitShare(null, 3600, NOW).hitShare).toBe(0.5);
  });

  it('has whole buckets where its length is not one of the charts', () => {
    const { database } = temporaryDatabase();
    write(database, { requests: [requestRow({ finishedAt: NOW - 950_000, promptTokens: 100, cachedTokens: 100 })] });
    expect(database.hitShare(null, 1000, NOW).hitShare).toBe(1);
  });
});

/** Finished within the last 40 days, more often lately, on whole milliseconds. */
function anyRequest(): fc.Arbitrary<RequestRow> {
  const age = fc.oneof(
    fc.integer({ min: 0, max: 900_000 }),
    fc.integer({ min: 0, max: 2 * DAY_MS }),
    fc.integer({ min: 0, max: 40 * DAY_MS }),
  );
  const tokens = fc.option(fc.integer({ min: 0, max: 150_000 }));
  return fc
    .record({ age, prompt: tokens, share: fc.option(fc.integer({ min: 0, max: 100 })), completion: tokens })
    .chain(({ age, prompt, share, completion }) =>
      fc.constantFrom('qwen', 'llama').map((model) =>
        requestRow({
          model,
          finishedAt: NOW - age,
          promptTokens: prompt,
          cachedTokens: prompt === null || share === null ? null : Math.floor((prompt * share) / 100),
          completionTokens: completion,
        }),
      ),
    );
}

/** The same series, from the definition. */
function expectedSeries(sent: readonly RequestRow[], name: (typeof RANGE_NAMES)[number]): TokenBucket[] {
  const width = RANGES[name].bucketSeconds;
  return rangeWindow(RANGES[name], NOW).starts.map((start) => {
    const rows = sent.filter((row) => Math.floor(row.finishedAt / 1000 / width) * width === start);
    const sum = (of: (row: RequestRow) => number) => rows.reduce((value, row) => value + of(row), 0);
    return {
      start,
      cached: sum((row) => row.cachedTokens ?? 0),
      computed: sum((row) => (row.promptTokens ?? 0) - (row.cachedTokens ?? 0)),
      completion: sum((row) => row.completionTokens ?? 0),
      requests: rows.length,
      measured: sum((row) => (row.cachedTokens === null ? 0 : 1)),
      measuredPrompt: sum((row) => (row.cachedTokens === null ? 0 : (row.promptTokens ?? 0))),
    };
  });
}

function total(bars: readonly TokenBucket[], field: 'cached' | 'computed' | 'requests'): number {
  return bars.reduce((sum, bar) => sum + bar[field], 0);
}
