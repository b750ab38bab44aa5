import { describe, expect, it, onTestFinished } from 'vitest';
import { problem } from '#lib/contract/activity.ts';
import { benchmarkList, benchmarkRun, modelReadings } from '#lib/contract/benchmark.ts';
import type { SimulatedFleetOptions } from '#server/simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';

async function warden(
  fleetOptions: SimulatedFleetOptions = {},
  model: Readonly<Record<string, unknown>> = {},
): Promise<TestWarden> {
  const fleet = await startSimulatedFleet({ speed: 40, ...fleetOptions });
  onTestFinished(() => fleet.close());
  const started = await startTestWarden({ fleets: [fleet], model });
  onTestFinished(() => started.close());
  return started;
}

const SHORT = { model: TEST_MODEL, steps: [2, 3], seconds: 2, warmup_seconds: 0.5, seed: 7 };

const post = (server: TestWarden, body: object) => server.post('/api/benchmarks', body);
const remove = async (server: TestWarden, id: number) =>
  benchmarkRun.parse(await (await fetch(`${server.url}/api/benchmarks/${id}`, { method: 'DELETE' })).json());
const get = async (server: TestWarden, id: number) =>
  benchmarkRun.parse(await (await fetch(`${server.url}/api/benchmarks/${id}`)).json());
const list = async (server: TestWarden) =>
  benchmarkList.parse(await (await fetch(`${server.url}/api/benchmarks`)).json()).runs;

async function start(server: TestWarden, body: object = SHORT) {
  const answer = await post(server, body);
  expect(answer.status).toBe(200);
  return benchmarkRun.parse(await answer.json());
}

async function ended(server: TestWarden, id: number) {
  return eventually(async () => {
    const run = await get(server, id);
    expect(run.status).not.toBe('running');
    return run;
  }, 25_000);
}

describe('a benchmark', () => {
  it('measures both settings at every step, reports once, and leaves the setting as it found it', async () => {
    const server = await warden();
    const { id, progress } = await start(server);
    expect(progress).toMatchObject({ cell: 0, cells: 4, policy: 'off', sessions: 2 });
    const { status, report, rows, error } = await ended(server, id);
    expect({ status, error }).toEqual({ status: 'finished', error: null });
    expect(rows.map(({ policy, sessions }) => [policy, sessions])).toEqual([
      ['off', 2],
      ['off', 3],
      ['affinity', 2],
      ['affinity', 3],
    ]);
    expect(report?.cells.map(({ policy, sessions }) => [policy, sessions])).toEqual([
      ['off', 2],
      ['affinity', 2],
      ['affinity', 3],
      ['off', 3],
    ]);
    expect(report?.plan).toMatchObject({ seed: 7, seconds: 2, prompts: 'fresh' });
    expect(report?.engine).toMatchObject({ simulated: true, replicas: 4 });
    for (const cell of report?.cells ?? []) {
      expect(cell).toMatchObject({ errors: 0, other_requests: 0, setting_changed: false, engine_restarted: false });
      expect(cell.row.turns).toBeGreaterThan(0);
      expect(cell.row.output_tokens_per_minute).toBeGreaterThan(0);
      expect(cell.row.ttfb_p50_seconds).toBeGreaterThan(0);
      expect(cell.ttfb_seconds).toHaveLength(cell.row.turns ?? 0);
      expect(cell.prompt_tokens_percent).toBeGreaterThan(90);
      expect(cell.prompt_tokens_percent).toBeLessThan(110);
    }
    const stayed = (policy: string) => rows.filter((row) => row.policy === policy).map((row) => row.stayed_percent);
    expect(stayed('off')).toEqual([null, null]);
    expect(stayed('affinity')).toEqual([100, 100]);
    expect((await server.routing()).affinity).toBe(true);
    expect(await list(server)).toMatchObject([{ id, status: 'finished', rows }]);
  });

  it('goes through chat completions as well, with answers of full length', async () => {
    const server = await warden();
    const { id } = await start(server, { ...SHORT, steps: [2], policies: ['affinity'], protocol: 'chat', repeats: 2 });
    const { report } = await ended(server, id);
    expect(report?.cells).toHaveLength(2);
    expect(report?.spread).toMatchObject([{ repeats: 2 }]);
    expect(report?.cells[0]?.row.turns).toBeGreaterThan(0);
    expect(report?.cells[0]?.errors).toBe(0);
  });

  it('can be cancelled, keeps what was measured, and puts the setting back', async () => {
    const server = await warden({}, { affinity: false });
    const { id } = await start(server, { ...SHORT, policies: ['affinity', 'off'], seconds: 1 });
    await eventually(async () => expect((await get(server, id)).rows).not.toHaveLength(0), 20_000);
    const cancelled = await remove(server, id);
    expect(cancelled).toMatchObject({ id, status: 'cancelled', progress: null });
    expect(cancelled.report?.warnings.map(({ code }) => code)).toContain('incomplete');
    expect((await server.routing()).affinity).toBe(false);
    await eventually(async () => expect((await server.routing()).totals.in_flight).toBe(0));

    expect(await remove(server, id)).toMatchObject({ id });
    expect(await list(server)).toEqual([]);
  });

  it('is broken off by a shutdown, which puts the setting back', async () => {
    const server = await warden();
    const { id } = await start(server, { ...SHORT, seconds: 60 });
    await eventually(async () => expect((await server.routing()).affinity).toBe(false));
    await server.restart();
    expect((await server.routing()).affinity).toBe(true);
    expect(await get(server, id)).toMatchObject({ status: 'interrupted', report: null });
  });

  it('does not start beside another one, or beside other traffic unless told', async () => {
    const server = await warden();
    const turn = await server.post(
      '/v1/messages',
      { model: TEST_MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello there' }] },
      { 'x-session-id': 'somebody' },
    );
    await turn.text();
    const refused = await post(server, SHORT);
    expect(refused.status).toBe(409);
    expect(problem.parse(await refused.json())).toMatchObject({ title: 'Other traffic', field: 'allow_traffic' });

    const { id } = await start(server, { ...SHORT, allow_traffic: true });
    const second = await post(server, { ...SHORT, allow_traffic: true });
    expect(second.status).toBe(409);
    expect(problem.parse(await second.json()).title).toBe('A benchmark is running');
    await remove(server, id);
    const again = await start(server);
    await remove(server, again.id);
  });

  it('says what is wrong with a request', async () => {
    const server = await warden();
    const unknown = await post(server, { ...SHORT, model: 'nobody' });
    expect([unknown.status, problem.parse(await unknown.json()).field]).toEqual([404, 'model']);
    const odd = await post(server, { ...SHORT, steps: [0] });
    expect([odd.status, problem.parse(await odd.json()).field]).toEqual([400, 'steps.0']);
    const long = await post(server, { ...SHORT, numbers: { system_tokens: 900_000 } });
    expect([long.status, problem.parse(await long.json()).field]).toEqual([400, 'numbers']);
    expect((await fetch(`${server.url}/api/benchmarks/99`)).status).toBe(404);
  });
});

describe('the readings of a model', () => {
  it('hold the engine’s counters and the router’s count of requests', async () => {
    const server = await warden();
    const before = await readings(server);
    expect(before).toMatchObject({ simulated: true, affinity: true, in_flight: 0, last_used_at: null });
    expect(before.replicas).toHaveLength(4);
    const answer = await server.post('/v1/messages', {
      model: TEST_MODEL,
      max_tokens: 4,
      messages: [{ role: 'user', content: 'word '.repeat(300) }],
    });
    await answer.text();
    await eventually(async () => {
      const after = await readings(server);
      expect(after.requests_total - before.requests_total).toBe(1);
      const computed = after.replicas.reduce((sum, replica) => sum + (replica.computed_tokens ?? 0), 0);
      expect(computed).toBeGreaterThan(300);
    });
  });
});

async function readings(server: TestWarden) {
  return modelReadings.parse(await (await fetch(`${server.url}/api/models/${TEST_MODEL}/readings`)).json());
}
