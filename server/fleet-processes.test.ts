import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { fleetState } from '#lib/contract/fleet.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { buildScript, buildStoreWorker } from './store/build-worker-for-tests.ts';
import { eventually, TEST_MODEL } from './warden-for-tests.ts';

/** A warden in a process of its own, so that it can die, or stand still, as one does. */
const WARDEN = `
  import pino from 'pino';
  import { NO_ACCESS_SETTINGS } from '../access/access-settings.ts';
  import { startWarden } from '../start.ts';
  const [dataDir = '', shared = '', worker = '', migrationsDir = ''] = process.argv.slice(2);
  const source = { kind: 'file', path: dataDir + '/warden.yaml' } as const;
  const settings = { host: '127.0.0.1', port: 0, dataDir, drainSeconds: 0, source, shared, advertiseUrl: null,
    alertWebhook: null, access: NO_ACCESS_SETTINGS };
  const pages = { handle: async () => {}, ownsUpgrade: () => false, close: async () => {} };
  const warden = await startWarden({ settings, env: {}, version: '0', storeWorkerUrl: new URL(worker),
    fleetWorkerUrl: new URL('file:///not-used'), migrationsDir, createPages: async () => pages,
    log: pino({ level: 'silent' }) });
  console.log(warden.url);`;

/** How long the shared memory is away; longer by hand: WARDEN_FLEET_AWAY_SECONDS=30. */
const AWAY_SECONDS = Number(process.env.WARDEN_FLEET_AWAY_SECONDS ?? 4);

type WardenProcess = { readonly url: string; readonly process: ChildProcess };

let redis: TestRedis;
let engines: SimulatedFleet[] = [];
let wardens: WardenProcess[] = [];
const closing: (() => unknown)[] = [];
let folder = '';

async function startWardenProcess(shared: string): Promise<WardenProcess> {
  const script = fileURLToPath(await buildScript(WARDEN, 'warden-process'));
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const replicas = engines.map(({ url }) => ({ url }));
  writeFileSync(
    join(dataDir, 'warden.yaml'),
    stringify({ models: [{ name: TEST_MODEL, max_num_seqs: 32, replicas }] }),
  );
  const migrations = fileURLToPath(new URL('../drizzle/migrations', import.meta.url));
  const args = [script, dataDir, shared, (await buildStoreWorker()).href, migrations];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(() => child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString()));
    child.once('exit', (code) => reject(new Error(`the warden's process ended with ${code}`)));
  });
  return { url: line.trim(), process: child };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'warden-processes-'));
  redis = await startRedis();
  engines = await Promise.all(Array.from({ length: 4 }, () => startSimulatedFleet({ replicas: 2, speed: 100 })));
  wardens = await Promise.all(Array.from({ length: 3 }, () => startWardenProcess(redis.url)));
  await everyone(true);
}, 90_000);

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await Promise.all(engines.map((engine) => engine.close()));
  await redis.close();
  rmSync(folder, { recursive: true, force: true });
});

const fleetOf = async ({ url }: WardenProcess) => fleetState.parse(await (await fetch(`${url}/api/fleet`)).json());

function everyone(up: boolean, among = wardens): Promise<void> {
  return eventually(async () => {
    for (const warden of among) expect((await fleetOf(warden)).shared_memory_up).toBe(up);
  }, 20_000);
}

/** Every warden counts in flight what the engines do: nothing, once all turns are over. */
function nothingInFlight(among = wardens, withinMs = 15_000): Promise<void> {
  return eventually(async () => {
    for (const warden of among) {
      for (const replica of (await fleetOf(warden)).replicas) {
        expect([replica.in_flight_here, replica.in_flight_elsewhere]).toEqual([0, 0]);
      }
    }
  }, withinMs);
}

async function turn({ url }: WardenProcess, session: string, tokens = 2) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-claude-code-session-id': session },
    body: JSON.stringify({
      model: TEST_MODEL,
      max_tokens: tokens,
      ignore_eos: true,
      messages: [{ role: 'user', content: session }],
    }),
  });
  await answer.text();
  return { replica: answer.headers.get('x-warden-replica'), decision: answer.headers.get('x-warden-decision') };
}

/** Turns of the conversations in turn, at wardens taken at random, until told to stop; counts how many stayed home. */
function keepPlaying(sessions: readonly string[], among: () => readonly WardenProcess[]) {
  const counts = { continuing: 0, sticky: 0, failed: 0 };
  let isOver = false;
  const worker = async (start: number): Promise<void> => {
    for (let at = start; !isOver; at += 8) {
      const all = among();
      const warden = all[Math.floor(Math.random() * all.length)];
      const session = sessions[at % sessions.length];
      if (warden === undefined || session === undefined) throw new Error('nobody to play with');
      try {
        const { decision } = await turn(warden, session);
        counts.continuing += 1;
        if (decision === 'sticky') counts.sticky += 1;
      } catch {
        // It was under way at the warden that was killed; an agent would send it again.
        counts.failed += 1;
      }
    }
  };
  const workers = Array.from({ length: 8 }, (_, index) => worker(index));
  return async () => {
    isOver = true;
    await Promise.all(workers);
    return counts;
  };
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));
const share = ({ sticky, continuing }: { sticky: number; continuing: number }) => sticky / continuing;

async function placeAll(count: number): Promise<string[]> {
  const sessions = Array.from({ length: count }, () => randomUUID());
  const stop = keepPlaying(sessions, () => wardens);
  await eventually(async () => {
    const { members } = await fleetOf(firstOf(wardens));
    const live = members.flatMap(({ models }) => models.map((model) => model.live_sessions));
    expect(live.reduce((sum, one) => sum + one, 0)).toBe(count);
  }, 40_000);
  await stop();
  return sessions;
}

function firstOf(all: readonly WardenProcess[]): WardenProcess {
  const [first] = all;
  if (first === undefined) throw new Error('no warden');
  return first;
}

describe('three wardens as processes', () => {
  it('lose no home when one is killed and another takes its place', async () => {
    const sessions = await placeAll(200);
    const stop = keepPlaying(sessions, () => wardens);
    const [victim, ...others] = wardens;
    const held = turn(firstOf(wardens), randomUUID(), 4000).catch(() => null);
    await eventually(async () => {
      const { replicas } = await fleetOf(firstOf(others));
      expect(replicas.some((replica) => replica.in_flight_elsewhere > 0)).toBe(true);
    });
    victim?.process.kill('SIGKILL');
    wardens = others;
    await held;
    await seconds(2);
    wardens = [...others, await startWardenProcess(redis.url)];
    await seconds(2);
    const counts = await stop();
    expect(share(counts)).toBeGreaterThanOrEqual(0.999);
    expect(counts.failed).toBeLessThanOrEqual(8);
    // What the dead one had in flight is gone within ten seconds of its death.
    await nothingInFlight();
    await eventually(async () => expect((await fleetOf(firstOf(wardens))).members).toHaveLength(3), 10_000);
  }, 120_000);

  it('take one that stands still for dead, and back when it goes on', async () => {
    const [still, ...others] = wardens;
    still?.process.kill('SIGSTOP');
    await eventually(async () => expect((await fleetOf(firstOf(others))).members).toHaveLength(2), 15_000);
    still?.process.kill('SIGCONT');
    await eventually(async () => {
      for (const warden of wardens) expect((await fleetOf(warden)).members).toHaveLength(3);
    }, 15_000);
    await placeAll(20);
    await nothingInFlight();
  }, 90_000);

  it(
    'keep conversations at home while the shared memory is away',
    async () => {
      const sessions = await placeAll(200);
      const stop = keepPlaying(sessions, () => wardens);
      await redis.stop();
      await seconds(AWAY_SECONDS);
      await redis.start();
      await everyone(true);
      const counts = await stop();
      expect(counts.failed).toBe(0);
      expect(share(counts)).toBeGreaterThanOrEqual(0.99);
      await nothingInFlight();
    },
    90_000 + AWAY_SECONDS * 1000,
  );

  it('are one again after a partition that cut one of them off', async () => {
    const wall = await startWall(redis.port);
    const cutOff = await startWardenProcess(wall.url);
    wardens = [...wardens, cutOff];
    await everyone(true);
    wall.cut();
    await everyone(false, [cutOff]);
    const sessions = Array.from({ length: 60 }, () => randomUUID());
    // The same new conversations on both sides of the wall.
    await Promise.all(sessions.map((session) => turn(cutOff, session)));
    await Promise.all(sessions.map((session) => turn(firstOf(wardens), session)));
    wall.heal();
    await everyone(true);
    await eventually(async () => {
      for (const session of sessions) {
        const replicas = await Promise.all(wardens.map(async (warden) => (await turn(warden, session)).replica));
        expect(new Set(replicas).size).toBe(1);
      }
    }, 20_000);
    await nothingInFlight();
  }, 120_000);
});

/** Stands between a warden and the shared memory; while it is cut, bytes vanish and connections stay open. */
async function startWall(port: number) {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => (isCut ? undefined : to.write(bytes)));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true;
    },
    heal: () => {
      isCut = false;
    },
  };
}
