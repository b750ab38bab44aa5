import { describe, expect, it } from 'vitest';
import { createDatabase } from './database.ts';
import { requestRow, sampleRow, temporaryDatabase, write } from './fixtures-for-tests.ts';
import type { Connection } from './open.ts';
import { DEFAULT_RETENTION } from './retention.ts';

const NOW = Date.parse('2027-03-04T05:06:07.890Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('retention', () => {
  it('keeps each tier for its own time', () => {
    const { database, connection } = temporaryDatabase();
    for (const model of ['qwen', 'llama']) {
      for (const age of [HOUR_MS, 3 * DAY_MS, 20 * DAY_MS, 500 * DAY_MS]) {
        write(database, { requests: [requestRow({ model, finishedAt: NOW - age })] });
        write(database, { samples: [sampleRow({ model, takenAt: NOW - age })] });
      }
    }
    while (database.retain(NOW));
    expect(rows(connection, 'request')).toBe(2 * 2);
    expect(rows(connection, 'replica_sample')).toBe(2 * 1);
    expect(rows(connection, 'usage_1m')).toBe(2 * 2);
    expect(rows(connection, 'latency_1m')).toBe(2 * 2 * 2);
    expect(rows(connection, 'latency_15m')).toBe(2 * 2 * 2);
    expect(rows(connection, 'sample_1m')).toBe(2 * 2);
    expect(rows(connection, 'ending_1m')).toBe(2 * 2);
    expect(rows(connection, 'usage_1h')).toBe(2 * 3);
    expect(rows(connection, 'latency_1h')).toBe(2 * 3 * 2);
    expect(rows(connection, 'sample_1h')).toBe(2 * 3);
    expect(rows(connection, 'ending_1h')).toBe(2 * 3);
  });

  it('takes its times from the options', () => {
    const { database, connection } = temporaryDatabase({ requestDays: 1 });
    write(database, { requests: [2, 0.5].map((days) => requestRow({ finishedAt: NOW - days * DAY_MS })) });
    while (database.retain(NOW));
    expect(rows(connection, 'request')).toBe(1);
  });

  it('is what a person chose, at once and when the file is opened again, until it is given back', () => {
    const { database, connection } = temporaryDatabase();
    write(database, { requests: [2, 0.5].map((days) => requestRow({ finishedAt: NOW - days * DAY_MS })) });
    database.saveRetention({ requestDays: 1, rawHours: 5 });
    while (database.retain(NOW));
    expect(rows(connection, 'request')).toBe(1);
    const again = createDatabase(connection, DEFAULT_RETENTION);
    expect(again.retention().chosen).toEqual({ requestDays: 1, rawHours: 5 });
    again.saveRetention({ requestDays: null });
    expect(again.retention()).toEqual({
      current: { ...DEFAULT_RETENTION, rawHours: 5 },
      chosen: { rawHours: 5 },
      defaults: DEFAULT_RETENTION,
    });
  });

  it('keeps the newest requests when there are too many', () => {
    const { database } = temporaryDatabase({ requestRows: 3 });
    const requests = [1, 2, 3, 4, 5].map((order) => requestRow({ id: `${order}`, finishedAt: NOW + order }));
    write(database, { requests });
    while (database.retain(NOW));
    expect(database.requests(null, 10).map((row) => row.id)).toEqual(['5', '4', '3']);
  });

  it('deletes events after their time', () => {
    const { database } = temporaryDatabase();
    const events = [500, 1].map((days) => ({ at: NOW - days * DAY_MS, model: null, kind: `${days}`, detail: '' }));
    database.writeBatch({ id: 'events', requests: [], samples: [], events, memories: new Map() });
    while (database.retain(NOW));
    expect(database.events(null, 10).map((event) => event.kind)).toEqual(['1']);
  });

  it('deletes a bounded number of rows at a time', () => {
    const { database, connection } = temporaryDatabase();
    const old = Array.from({ length: 5001 }, (_, index) => requestRow({ finishedAt: NOW - 30 * DAY_MS - index }));
    write(database, { requests: old });
    expect(database.retain(NOW)).toBe(true);
    expect(rows(connection, 'request')).toBe(1);
  });

  it('has nothing to do where nothing is old', () => {
    const { database } = temporaryDatabase();
    write(database, { requests: [requestRow({ finishedAt: NOW })], samples: [sampleRow({ takenAt: NOW })] });
    expect(database.retain(NOW)).toBe(false);
  });
});

function rows({ sqlite }: Connection, table: string): number | undefined {
  return sqlite.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get();
}
