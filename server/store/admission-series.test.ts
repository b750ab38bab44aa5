import { expect, it } from 'vitest';
import { requestRow, temporaryDatabase } from './fixtures-for-tests.ts';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;

function heldRow(finishedAt: number, queuedMs: number | null, displaced = false) {
  return requestRow({ finishedAt, queuedMs, displaced });
}

it.each(['1h', '24h', '30d'] as const)(
  'adds up what was held in each bucket of %s, and keeps the longest',
  (window) => {
    const { database } = temporaryDatabase();
    const write = (id: string, ...requests: ReturnType<typeof requestRow>[]) =>
      database.writeBatch({ id, requests, samples: [], events: [], memories: new Map() });
    write('a', heldRow(NOW, 4000), heldRow(NOW, 0), heldRow(NOW, null));
    write('b', heldRow(NOW, 9000, true), heldRow(NOW, 500));
    const buckets = database.admissionSeries('qwen', window, NOW + 1);
    const filled = buckets.filter(({ requests }) => requests > 0);
    expect(filled).toEqual([
      { start: filled[0]?.start, requests: 5, held: 3, heldMs: 13_500, heldMostMs: 9000, displaced: 1 },
    ]);
    expect(buckets.length).toBeGreaterThan(20);
  },
);

it('leaves empty buckets at zero', () => {
  const { database } = temporaryDatabase();
  const empty = { requests: 0, held: 0, heldMs: 0, heldMostMs: 0, displaced: 0 };
  for (const bucket of database.admissionSeries(null, '1h', NOW - MINUTE_MS)) expect(bucket).toMatchObject(empty);
});
