import { describe, expect, it } from 'vitest';
import { requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';

const NOW = Date.parse('2027-03-04T05:06:40.000Z');
const MINUTE = 60_000;
const ago = (minutes: number) => NOW - minutes * MINUTE;

describe('what models did lately', () => {
  it('says of each model what its requests of the last hour add up to, in one answer for all', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ model: 'a', finishedAt: ago(50), promptTokens: 1000, cachedTokens: 0, ttfbMs: 9000 }),
        requestRow({ model: 'a', finishedAt: ago(10), promptTokens: 1000, cachedTokens: 900, ttfbMs: 200 }),
        requestRow({ model: 'a', finishedAt: ago(0), promptTokens: 2000, cachedTokens: 1900, completionTokens: 280 }),
        requestRow({ model: 'b', finishedAt: ago(1), promptTokens: 500, cachedTokens: null }),
        requestRow({ model: 'old', finishedAt: ago(61) }),
      ],
    });
    const all = database.modelActivity(NOW);
    expect([...all.keys()].toSorted()).toEqual(['a', 'b']);
    expect(all.get('a')).toMatchObject({ requests: 3, hitShare: 0.7 });
    expect(all.get('a')?.hitShare).toBe(database.hitShare('a', 3600, NOW).hitShare);
    expect(all.get('b')).toMatchObject({ requests: 1, hitShare: null });
  });

  it('draws the hour in thirty bars, with nothing where nothing was measured', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ model: 'a', finishedAt: ago(59), promptTokens: 100, cachedTokens: 10 }),
        requestRow({ model: 'a', finishedAt: ago(0), promptTokens: 100, cachedTokens: 60 }),
      ],
    });
    const shares = database.modelActivity(NOW).get('a')?.hitShares ?? [];
    expect(shares).toHaveLength(30);
    expect([shares.at(0), shares.at(-1)]).toEqual([0.1, 0.6]);
    expect(shares.slice(1, -1).every((share) => share === null)).toBe(true);
  });

  it('takes times to first byte of the last quarter hour, and token rates of the last five minutes', () => {
    const { database } = temporaryDatabase();
    write(database, {
      requests: [
        requestRow({ model: 'a', finishedAt: ago(20), ttfbMs: 60_000, completionTokens: 9_999 }),
        requestRow({ model: 'a', finishedAt: ago(2), ttfbMs: 400, promptTokens: 5600, completionTokens: 560 }),
      ],
    });
    const activity = database.modelActivity(NOW).get('a');
    expect(activity?.ttfbP50Ms).toBeGreaterThan(360);
    expect(activity?.ttfbP95Ms).toBeLessThan(440);
    // Four whole minutes and the 40 seconds of this one.
    expect(activity?.promptTokensPerSecond).toBeCloseTo(5600 / 280);
    expect(activity?.completionTokensPerSecond).toBeCloseTo(560 / 280);
  });
});

describe('the facts of an event', () => {
  it('come back as they were given, and are null where there are none', () => {
    const { database } = temporaryDatabase();
    database.writeBatch({
      id: 'one',
      requests: [],
      samples: [],
      memories: new Map(),
      events: [
        { at: NOW, model: 'a', kind: 'drain', detail: 'replica 3 is draining', facts: { replica: 3, url: 'http://x' } },
        { at: NOW - 1, model: 'a', kind: 'affinity_on', detail: 'affinity turned on' },
      ],
    });
    const [drain, on] = database.events('a', 10);
    expect(drain?.facts).toEqual({ replica: 3, url: 'http://x' });
    expect(on?.facts).toBeNull();
  });
});
