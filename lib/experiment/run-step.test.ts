import { describe, expect, it } from 'vitest';
import type { StepMeasurement } from './measurement.ts';
import { EXPERIMENT_PRESETS } from './presets.ts';
import { runStep, type StepSetup } from './run-step.ts';
import { createSyntheticWorkload, type WorkloadNumbers } from './synthetic-workload.ts';

const { box, workload } = EXPERIMENT_PRESETS.a4000x4;
const SMALL: WorkloadNumbers = { ...workload, systemTokens: 640, firstMessageTokens: { least: 500, most: 900 } };

function step(changes: Partial<StepSetup> = {}, numbers: WorkloadNumbers = SMALL): StepMeasurement {
  return runStep({
    box,
    policy: 'affinity',
    workload: createSyntheticWorkload(numbers, 1),
    arrivals: 'closed',
    sessions: 6,
    seconds: 90,
    warmupSeconds: 0,
    seed: 1,
    ...changes,
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('a step in virtual time', () => {
  it.each(['off', 'off-0.27', 'hash', 'affinity'] as const)('gives the same measurement again (%s)', (policy) => {
    expect(JSON.stringify(step({ policy }))).toBe(JSON.stringify(step({ policy })));
  });

  it('differs with the seed', () => {
    expect(JSON.stringify(step({ seed: 2 }))).not.toBe(JSON.stringify(step()));
  });

  it('keeps as many requests in flight as there are sessions that do not pause', () => {
    const { turns } = step({ sessions: 5 });
    const inFlight = (at: number) =>
      turns.filter(({ sentAt, endedAt }) => sentAt <= at && (endedAt === null || endedAt > at)).length;
    for (const at of [1000, 20_000, 45_000, 89_000]) expect(inFlight(at)).toBe(5);
  });

  it('loses no session: all turns of a session that ended were answered, and a new one followed', () => {
    const { turns, sessionDurations } = step();
    const first = turns.filter(({ turn }) => turn === 0).length;
    expect(sessionDurations.length).toBeGreaterThan(3);
    expect(first).toBe(sessionDurations.length + 6);
    const ended = turns.filter(({ endedAt }) => endedAt !== null).length;
    expect(turns.length - ended).toBe(6);
  });

  it('counts every token that a client received', () => {
    const { turns, outputTokens } = step();
    expect(sum(turns.map((turn) => turn.outputTokens))).toBe(outputTokens);
    for (const turn of turns) if (turn.endedAt !== null) expect(turn.outputTokens).toBe(256);
  });

  it("agrees with the engine's counters on prompt and cached tokens", () => {
    // Sessions of one turn, and a step after the last of which nothing is under way.
    const { turns, prefix } = step({ arrivals: 'open', sessions: 60, seconds: 590 }, { ...SMALL, turns: 1 });
    expect(turns.length).toBeGreaterThan(5);
    expect(turns.every(({ endedAt }) => endedAt !== null)).toBe(true);
    expect(prefix?.queries).toBe(sum(turns.map(({ promptTokens }) => promptTokens)));
    expect(prefix?.hits).toBe(sum(turns.map(({ cachedTokens }) => cachedTokens ?? 0)));
  });

  it('leaves the warm-up out', () => {
    const warm = step({ warmupSeconds: 30, seconds: 60 });
    const whole = step();
    expect(warm.turns.length).toBeLessThan(whole.turns.length);
    expect(Math.min(...warm.turns.map(({ sentAt }) => sentAt))).toBeGreaterThanOrEqual(0);
    expect(warm.busyReplicas).toHaveLength(31);
  });

  it('starts sessions at their own pace with open arrivals', () => {
    const { turns } = step({ arrivals: 'open', sessions: 360, seconds: 100 }, { ...SMALL, turns: 1 });
    expect(turns.length).toBeGreaterThan(3);
    expect(turns.length).toBeLessThan(25);
  });

  it('sends subagents under keys of their own, before the turn that waits for them', () => {
    const { turns, sessionDurations } = step({ sessions: 1, seconds: 200 }, { ...SMALL, subagents: 3 });
    expect(sessionDurations.length).toBeGreaterThan(0);
    expect(turns.filter(({ turn }) => turn === 0).length).toBeGreaterThanOrEqual(4);
  });

  it('reports a share that stayed for policies with homes only', () => {
    expect(step({ policy: 'off' }).turns.every(({ stayed }) => stayed === null)).toBe(true);
    expect(step({ policy: 'hash' }).turns.some(({ stayed }) => stayed === true)).toBe(true);
  });

  it('is the same under cache-fit as under affinity while all conversations fit', () => {
    const of = (policy: 'affinity' | 'cache-fit') => step({ policy, sessions: 2, seconds: 60 }).turns;
    expect(of('cache-fit')).toEqual(of('affinity'));
  });
});

describe('the reference load', () => {
  it('at four sessions: affinity reads 80 to 90 % from cache, and its median wait is under a third of round-robin', () => {
    const four = (policy: 'off' | 'affinity') => step({ policy, sessions: 4, seconds: 300 }, workload);
    const median = ({ turns }: StepMeasurement) => {
      const waits = turns.flatMap(({ sentAt, firstByteAt }) => (firstByteAt === null ? [] : [firstByteAt - sentAt]));
      return waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0;
    };
    const off = four('off');
    const on = four('affinity');
    const hits = (100 * (on.prefix?.hits ?? 0)) / (on.prefix?.queries ?? 1);
    expect(hits).toBeGreaterThan(80);
    expect(hits).toBeLessThan(90);
    expect(median(on)).toBeLessThan(median(off) / 3);
    expect(on.outputTokens).toBeGreaterThan(off.outputTokens);
  });
});
