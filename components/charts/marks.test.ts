import { describe, expect, it } from 'vitest';
import { marksIn } from './marks.ts';

const start = Date.UTC(2026, 10, 30, 12, 0);
const times = [start, start + 60_000, start + 120_000];

describe('marksIn', () => {
  it('puts an event on the bucket that it happened in, several on one, newest first', () => {
    const events = [event(0, 'affinity_on', 'a'), event(65, 'affinity_off', 'a'), event(119, 'engine_restarted', null)];
    expect(marksIn(events, times, 60)).toEqual([
      {
        time: times[1],
        at: start + 119_000,
        events: [
          { kind: 'affinity_off', model: 'a', facts: null },
          { kind: 'engine_restarted', model: null, facts: null },
        ],
      },
      { time: times[0], at: start, events: [{ kind: 'affinity_on', model: 'a', facts: null }] },
    ]);
  });

  it('leaves out what was before or after the chart, and what changes no chart', () => {
    expect(
      marksIn([event(-1, 'affinity_on', 'a'), event(181, 'affinity_on', 'a'), event(5, 'greeted', 'a')], times, 60),
    ).toEqual([]);
    expect(marksIn([event(5, 'affinity_on', 'a')], [], 60)).toEqual([]);
  });
});

function event(seconds: number, kind: string, model: string | null) {
  return { time: new Date(start + seconds * 1000).toISOString(), kind, model, detail: '', facts: null };
}
