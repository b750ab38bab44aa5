import { describe, expect, it } from 'vitest';
import type { StepMeasurement, TurnRecord } from './measurement.ts';
import { averageRows, reportRow } from './report.ts';

/** A turn sent at second `sentAt` whose first byte came `ttfb` seconds later (null: not yet). */
function turn(sentAt: number, ttfb: number | null, changes: Partial<TurnRecord> = {}): TurnRecord {
  return {
    turn: 1,
    sentAt: sentAt * 1000,
    firstByteAt: ttfb === null ? null : (sentAt + ttfb) * 1000,
    endedAt: null,
    promptTokens: 1000,
    cachedTokens: null,
    outputTokens: 10,
    stayed: null,
    heldMs: null,
    ...changes,
  };
}

function step(changes: Partial<StepMeasurement> = {}): StepMeasurement {
  return {
    policy: 'affinity',
    sessions: 4,
    seconds: 120,
    turns: [],
    sessionDurations: [],
    outputTokens: 0,
    busyReplicas: [],
    prefix: null,
    ...changes,
  };
}

describe('reportRow', () => {
  it('scales what was counted to an hour and a minute', () => {
    const row = reportRow(step({ sessionDurations: [40_000, 60_000, 50_000], outputTokens: 1000 }));
    expect(row.sessions_per_hour).toBe(90);
    expect(row.output_tokens_per_minute).toBe(500);
    expect(row.session_p50_seconds).toBe(50);
  });

  it('takes percentiles by nearest rank, so that each is a wait that happened', () => {
    const row = reportRow(step({ turns: Array.from({ length: 100 }, (_, index) => turn(0, index + 1)) }));
    expect(row.ttfb_p50_seconds).toBe(50);
    expect(row.ttfb_p95_seconds).toBe(95);
    expect(row.ttfb_p99_seconds).toBe(99);
    expect(row.ttfb_mean_seconds).toBe(50.5);
    expect(row.turns).toBe(100);
  });

  it('keeps first and continuing turns apart', () => {
    const row = reportRow(step({ turns: [turn(0, 4, { turn: 0 }), turn(5, 1), turn(7, 2, { turn: 2 })] }));
    expect(row.ttfb_first_p50_seconds).toBe(4);
    expect(row.ttfb_continuing_p50_seconds).toBe(1);
  });

  it('tells of the turns that the router held back how many they were, and how long they were held', () => {
    const held = [0, 0, 2000, 6000].map((heldMs) => turn(0, 10, { heldMs }));
    const row = reportRow(step({ turns: held }));
    expect(row).toMatchObject({ held_percent: 50, held_mean_seconds: 4, held_max_seconds: 6 });
    const none = reportRow(step({ turns: [turn(0, 10, { heldMs: 0 })] }));
    expect(none).toMatchObject({ held_percent: 0, held_mean_seconds: null, held_max_seconds: null });
    expect(reportRow(step({ turns: [turn(0, 10)] })).held_percent).toBeNull();
  });

  it('counts the wait of a request that is still waiting in the longest, and in nothing else', () => {
    const row = reportRow(step({ turns: [turn(0, 3), turn(30, null)] }));
    expect(row.ttfb_max_seconds).toBe(90);
    expect(row.ttfb_mean_seconds).toBe(3);
    expect(row.turns).toBe(1);
  });

  it('tells the share that stayed from turns that had a home', () => {
    const turns = [
      turn(0, 1),
      turn(1, 1, { stayed: true }),
      turn(2, 1, { stayed: true }),
      turn(3, 1, { stayed: false }),
    ];
    expect(reportRow(step({ turns })).stayed_percent).toBeCloseTo(66.667, 3);
  });

  it('is null where there is nothing to tell a number from, and never 0', () => {
    const row = reportRow(step());
    expect(row.ttfb_p50_seconds).toBeNull();
    expect(row.ttfb_max_seconds).toBeNull();
    expect(row.session_p50_seconds).toBeNull();
    expect(row.replicas_busy).toBeNull();
    expect(row.prefix_hit_percent).toBeNull();
    expect(row.stayed_percent).toBeNull();
    expect(row.turns).toBe(0);
  });
});

describe('averageRows', () => {
  it('averages each column over the repeats that know it', () => {
    const rows = [
      reportRow(step({ turns: [turn(0, 1)], busyReplicas: [2, 4], prefix: { queries: 10, hits: 4 } })),
      reportRow(step({ turns: [turn(0, 2), turn(0, 2)], prefix: { queries: 10, hits: 7 } })),
    ];
    const row = averageRows(rows);
    expect(row.ttfb_mean_seconds).toBe(1.5);
    expect(row.replicas_busy).toBe(3);
    expect(row.prefix_hit_percent).toBe(55);
    expect(row.stayed_percent).toBeNull();
    expect(row.turns).toBe(1.5);
  });
});
