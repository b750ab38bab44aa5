import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { freePort, startRedis, type TestRedis } from '#scripts/start-redis.ts';
import type { SimulatedFleet } from '#server/simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';

/*
 * Three wardens that share a memory, eight replicas, and a real Prometheus (Debian: apt-get install prometheus) with the
 * rules of deploy/prometheus: what the dashboard asks is compared with what happened. Without Prometheus on the machine
 * deploy-files.test.ts alone looks at dashboard and rules.
 */

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const isThere = spawnSync('prometheus', ['--version']).status === 0;
const SESSIONS = 24;

let folder: string;
let redis: TestRedis;
let engines: SimulatedFleet[];
let wardens: TestWarden[];
let prometheus: { readonly url: string; readonly child: ChildProcess };

const board = z
  .object({
    panels: z.array(
      z.object({
        title: z.string(),
        targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(deploy, 'grafana/lm-warden.json'), 'utf8')))
  .panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

const answer = z.object({
  status: z.literal('success'),
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

/** What a panel shows now, by its lines' labels. The variables of the dashboard are all of one fleet. */
async function ask(expr: string) {
  const query = expr
    .replaceAll('$job', 'fleet')
    .replaceAll('$model', '.*')
    .replaceAll('$warden', '.*')
    .replaceAll('$__rate_interval', '1m');
  const found = await fetch(`${prometheus.url}/api/v1/query?${new URLSearchParams({ query })}`);
  const { data } = answer.parse(await found.json());
  return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}

/** The one number of a panel's target. */
async function shown(title: string, legend: string): Promise<number> {
  const target = board.find((one) => one.title === title && one.legendFormat === legend);
  const [first, ...more] = await ask(target?.expr ?? 'no such panel');
  expect(more).toEqual([]);
  return first?.value ?? Number.NaN;
}

/** With the rules as they are delivered, but looked at every second. */
async function startPrometheus(targets: readonly string[]) {
  for (const name of ['recording-rules.yml', 'alerts.yml']) {
    const { groups } = z
      .object({ groups: z.array(z.looseObject({})) })
      .parse(parse(readFileSync(join(deploy, 'prometheus', name), 'utf8')));
    writeFileSync(join(folder, name), stringify({ groups: groups.map((group) => ({ ...group, interval: '1s' })) }));
  }
  const config = {
    // No answer of a warden may take longer than from one to the next.
    global: { scrape_interval: '2s', evaluation_interval: '1s' },
    rule_files: ['recording-rules.yml', 'alerts.yml'],
    scrape_configs: [{ job_name: 'fleet', static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const args = ['--config.file=prometheus.yml', `--web.listen-address=${address}`, '--storage.tsdb.path=data'];
  const child = spawn('prometheus', args, { cwd: folder, stdio: 'ignore' });
  const url = `http://${address}`;
  await eventually(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), 20_000);
  return { url, child };
}

async function turn(warden: TestWarden | undefined, session: number): Promise<void> {
  const messages = [{ role: 'user', content: `hello from ${session} `.repeat(40) }];
  const body = { model: TEST_MODEL, max_tokens: 2, messages };
  const sent = await warden?.post('/v1/chat/completions', body, { 'x-session-id': `session-of-board-${session}` });
  expect(sent?.status).toBe(200);
  await sent?.text();
}

describe.skipIf(!isThere)('the dashboard of three wardens', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lm-warden-board-'));
    redis = await startRedis();
    engines = await Promise.all(Array.from({ length: 4 }, () => startSimulatedFleet({ replicas: 2, speed: 200 })));
    // The third numbers them the other way round, as where they are discovered.
    const orders = [engines, engines, engines.toReversed()];
    wardens = await Promise.all(orders.map((fleets) => startTestWarden({ fleets, shared: redis.url })));
    prometheus = await startPrometheus(wardens.map(({ url }) => new URL(url).host));
    await eventually(async () => expect(await shown('Shared memory', 'reach it')).toBe(3), 30_000);
  });
  afterAll(async () => {
    prometheus?.child.kill('SIGKILL');
    await Promise.all((wardens ?? []).map((warden) => warden.close()));
    await Promise.all((engines ?? []).map((engine) => engine.close()));
    await redis?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('counts each replica, conversation and home once, and adds up what each warden did', async () => {
    // Each conversation's first turn at one warden, the next at another.
    for (let session = 0; session < SESSIONS; session += 1) await turn(wardens[session % 3], session);
    for (let session = 0; session < SESSIONS; session += 1) await turn(wardens[(session + 1) % 3], session);
    await eventually(async () => {
      expect(await shown('Replicas up', 'up')).toBe(8);
      expect(await shown('Replicas up', 'of')).toBe(8);
      expect(await shown('Live sessions', 'sessions')).toBe(SESSIONS);
      expect(await shown('Wardens up', 'up')).toBe(3);
      expect(await shown('In flight', 'in flight')).toBe(0);
      const [homes] = await ask('sum(warden:homes)');
      expect(homes?.value).toBe(SESSIONS);
      const [requests] = await ask('sum(warden_requests_total{job="fleet"})');
      expect(requests?.value).toBe(2 * SESSIONS);
    }, 20_000);
  }, 120_000);

  it('draws every panel: a line for each replica, whatever its number on each warden, and for each warden', async () => {
    const lineOf = (metric: Readonly<Record<string, string>>): string => JSON.stringify(metric);
    await eventually(async () => {
      for (const { title, expr, legendFormat } of board) {
        // Nothing is held, refused or spilled here.
        const isNothingToSee = /held|refused|spills/.test(expr);
        const lines = await ask(expr);
        if (!isNothingToSee) expect(lines.length, `${title}: ${expr}`).toBeGreaterThan(0);
        expect(new Set(lines.map(({ metric }) => lineOf(metric))).size).toBe(lines.length);
        if (isNothingToSee) continue;
        if (legendFormat.includes('{{url}}')) expect(lines, title).toHaveLength(8);
        if (legendFormat.includes('{{instance}}')) expect(lines, title).toHaveLength(3);
        if (!legendFormat.includes('{{')) expect(lines, title).toHaveLength(1);
      }
    }, 20_000);
  }, 120_000);

  it('tells of a warden that died and of a memory that is away', async () => {
    await wardens[2]?.close();
    await redis.stop();
    await eventually(async () => {
      expect(await shown('Wardens up', 'up')).toBe(2);
      expect(await shown('Wardens up', 'of')).toBe(3);
      expect(await shown('Shared memory', 'reach it')).toBe(0);
      expect(await shown('Replicas up', 'up')).toBe(8);
      const pending = (await ask('ALERTS')).map(({ metric }) => metric.alertname);
      expect(pending).toContain('WardenMemberDown');
      expect(pending).toContain('WardenSharedMemoryAway');
      expect(pending).not.toContain('WardenDown');
    }, 20_000);
    await redis.start();
  }, 120_000);
});
