import { describe, expect, it } from 'vitest';
import {
  type BenchmarkCell,
  type BenchmarkEngine,
  benchmarkRequest,
  benchmarkReport as contract,
} from '#lib/contract/benchmark.ts';
import type { StepMeasurement, TurnRecord } from '#lib/experiment/measurement.ts';
import { benchmarkCell, type CellFacts } from './cell.ts';
import { type PlannedCell, planBenchmark, planCells } from './plan.ts';
import { averagedRows, benchmarkReport } from './report.ts';

const ENGINE: BenchmarkEngine = {
  version: '0.28.0',
  simulated: false,
  replicas: 4,
  spill_threshold: 8,
  max_num_seqs: 32,
  max_model_len: 32_768,
  kv_capacity_tokens: 38_000,
};
const FACTS: CellFacts = {
  started_at: '2026-11-30T12:00:00.000Z',
  errors: 0,
  first_error: null,
  other_requests: 0,
  setting_changed: false,
  engine_restarted: false,
  plannedTokens: 1000,
  countedTokens: 1010,
};

const plan = (given: object = {}) =>
  planBenchmark(benchmarkRequest.parse({ model: 'qwen', steps: [4], repeats: 2, seconds: 60, ...given }), 1);

function turns(count: number, ttfbMs: (index: number) => number): TurnRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const sentAt = (index * 50_000) / count;
    const firstByteAt = sentAt + ttfbMs(index);
    return {
      turn: index % 6,
      sentAt,
      firstByteAt,
      endedAt: firstByteAt + 100,
      promptTokens: 10,
      cachedTokens: 5,
      outputTokens: 256,
      stayed: true,
      heldMs: null,
    };
  });
}

function cell(planned: PlannedCell, measured: Partial<StepMeasurement> = {}, facts: Partial<CellFacts> = {}) {
  const measurement: StepMeasurement = {
    policy: planned.policy,
    sessions: planned.sessions,
    seconds: 60,
    turns: turns(60, () => 400),
    sessionDurations: [1000, 1000, 1000, 1000],
    outputTokens: 6000,
    busyReplicas: [4, 4],
    prefix: { queries: 100, hits: 80 },
    ...measured,
  };
  return benchmarkCell(planned, measurement, { ...FACTS, ...facts });
}

function reportOf(cells: readonly BenchmarkCell[], given: object = {}, engine: Partial<BenchmarkEngine> = {}) {
  return benchmarkReport({
    plan: plan(given),
    engine: { ...ENGINE, ...engine },
    clients: 'router',
    startedAt: 0,
    finishedAt: 1000,
    cells,
  });
}

const cellsOf = (make: (planned: PlannedCell, index: number) => BenchmarkCell, given: object = {}) =>
  planCells(plan(given)).map(make);
const codes = (cells: readonly BenchmarkCell[], given: object = {}, engine: Partial<BenchmarkEngine> = {}) =>
  reportOf(cells, given, engine).warnings.map(({ code }) => code);

describe('a report', () => {
  it('has a row per setting and step, the mean of its repeats, with the least and the most of them', () => {
    const report = reportOf(
      cellsOf((planned) => cell(planned, { turns: turns(60, () => (planned.repeat === 0 ? 400 : 800)) })),
    );
    expect(report.rows.map(({ policy, sessions, ttfb_p50_seconds }) => [policy, sessions, ttfb_p50_seconds])).toEqual([
      ['off', 4, 0.6],
      ['affinity', 4, 0.6],
    ]);
    expect(report.spread[0]).toMatchObject({
      repeats: 2,
      least: { ttfb_p50_seconds: 0.4 },
      most: { ttfb_p50_seconds: 0.8 },
    });
    expect(report.cells.map(({ policy }) => policy)).toEqual(['off', 'affinity', 'affinity', 'off']);
  });

  it('is what the contract says, also after being stored as text', () => {
    const report = reportOf(cellsOf((planned) => cell(planned)));
    expect(contract.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  it('knows no spread of a single measurement, and leaves out what was not measured', () => {
    const [first] = cellsOf((planned) => cell(planned));
    const report = reportOf(first === undefined ? [] : [first]);
    expect(report.spread).toEqual([null]);
    expect(averagedRows(report.plan, [])).toEqual([]);
    expect(report.warnings.map(({ code }) => code)).toContain('incomplete');
  });

  it('keeps what the engine did not tell unknown in mean and spread', () => {
    const report = reportOf(cellsOf((planned) => cell(planned, { prefix: null })));
    expect(report.rows[0]?.prefix_hit_percent).toBeNull();
    expect(report.spread[0]?.most.prefix_hit_percent).toBeNull();
  });

  it('holds all times to first byte in order, thinned where there are thousands', () => {
    const [few] = cellsOf((planned) => cell(planned, { turns: turns(60, (index) => 1000 - index) }));
    expect(few?.ttfb_seconds).toHaveLength(60);
    expect(few?.ttfb_seconds.slice(0, 2)).toEqual([0.941, 0.942]);
    const [many] = cellsOf((planned) => cell(planned, { turns: turns(5001, (index) => index) }));
    expect(many?.ttfb_seconds).toHaveLength(500);
    expect([many?.ttfb_seconds[0], many?.ttfb_seconds.at(-1)]).toEqual([0, 5]);
  });
});

describe('the doubts about a report', () => {
  it('are none where there is nothing to doubt', () => {
    expect(codes(cellsOf((planned) => cell(planned)))).toEqual([]);
  });

  it.each([
    ['too_few_turns', { turns: turns(39, () => 400) }, {}],
    ['still_warming', { sessionDurations: [1000] }, {}],
    ['still_warming', { turns: turns(60, (index) => (index < 30 ? 400 : 900)) }, {}],
    ['other_traffic', {}, { other_requests: 3 }],
    ['request_errors', {}, { errors: 1, first_error: 'status 503' }],
    ['setting_changed', {}, { setting_changed: true }],
    ['engine_restarted', {}, { engine_restarted: true }],
    ['cached_not_reported', { prefix: null }, {}],
    ['cached_not_reported', { turns: turns(60, () => 400).map((turn) => ({ ...turn, cachedTokens: null })) }, {}],
    ['prompt_size', {}, { countedTokens: 1300 }],
  ] as const)('%s', (code, measured, facts) => {
    expect(codes(cellsOf((planned) => cell(planned, measured, facts)))).toEqual([code]);
  });

  it('name the measurements that they are about', () => {
    const report = reportOf(
      cellsOf(
        (planned) =>
          cell(
            planned,
            {},
            planned.policy === 'off' && planned.sessions === 4 ? { errors: 2, first_error: 'status 503' } : {},
          ),
        {
          steps: [4, 8],
          repeats: 1,
        },
      ),
      { steps: [4, 8], repeats: 2 },
    );
    const texts = report.warnings.map(({ message }) => message);
    expect(texts).toContain('Affinity off at 4 sessions: 2 requests failed (status 503).');
  });

  it('say that it was measured once, with the same prompts, on a simulated fleet', () => {
    const given = { repeats: 1, prompts: 'same' };
    const cells = cellsOf((planned) => cell(planned), given);
    expect(codes(cells, given, { simulated: true })).toEqual(['simulated', 'same_prompts', 'one_repeat']);
  });

  it('take no drift for granted that is within a tenth of a second', () => {
    const fast = { turns: turns(60, (index) => (index < 30 ? 40 : 90)) };
    expect(codes(cellsOf((planned) => cell(planned, fast)))).toEqual([]);
  });
});
