import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createClient } from '@redis/client';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fleetState } from '#lib/contract/fleet.ts';
import { freePort, startRedis, startSentinel, type TestRedis } from '#scripts/start-redis.ts';
import { makeCertificates } from '#server/certificates-for-tests.ts';
import { agreeWithEngines } from '#server/fleet-counts-for-tests.ts';
import type { SimulatedFleet } from '#server/simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, type TestWarden } from '#server/warden-for-tests.ts';
import { openStream, startWardenProcess, turn } from '#server/warden-process-for-tests.ts';

let engine: SimulatedFleet;
const wardens: TestWarden[] = [];
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  engine = await startSimulatedFleet({ replicas: 4, speed: 5 });
  closing.push(() => engine.close());
});

afterEach(async () => {
  await Promise.all(wardens.splice(0).map((warden) => warden.close()));
  for (const close of closing.splice(0).reverse()) await close();
});

async function redisWith(...options: Parameters<typeof startRedis>): Promise<TestRedis> {
  const redis = await startRedis(...options);
  closing.push(() => redis.close());
  return redis;
}

const fleetOf = async ({ url }: { readonly url: string }) =>
  fleetState.parse(await (await fetch(`${url}/api/fleet`)).json());

const isUp = async (warden: { readonly url: string }): Promise<boolean | null> =>
  (await fleetOf(warden)).shared_memory_up;

const everyone = (up: boolean, timeoutMs = 8000) =>
  eventually(async () => expect(await Promise.all(wardens.map(isUp))).toEqual(wardens.map(() => up)), timeoutMs);

/** How often each warden has said that the memory went away. */
const gaps = new Map<TestWarden, () => number>();

/** Waits until each warden has said that it lost the memory, however short it was and whoever lost it first. */
async function untilGap(makeGap: () => Promise<unknown>): Promise<void> {
  const counts = () => wardens.map((warden) => gaps.get(warden)?.() ?? 0);
  const before = counts();
  await makeGap();
  await eventually(() => {
    for (const [index, count] of counts().entries()) expect(count).toBeGreaterThan(before[index] ?? 0);
  }, 15_000);
}

async function startOne(shared: string): Promise<TestWarden> {
  let count = 0;
  const log = pino(
    { level: 'warn' },
    {
      write(line) {
        if (line.includes('the shared memory is away')) count += 1;
      },
    },
  );
  const warden = await startTestWarden({ fleets: [engine], shared, log });
  gaps.set(warden, () => count);
  return warden;
}

async function two(shared: string): Promise<[TestWarden, TestWarden]> {
  const started = await Promise.all([startOne(shared), startOne(shared)]);
  wardens.push(...started);
  const [one, other] = started;
  if (one === undefined || other === undefined) throw new Error('two wardens were started');
  return [one, other];
}

/** Conversations that begin at one of them and go on at the other. */
async function areShared(
  one: TestWarden,
  other: TestWarden,
  sessions = named(12),
): Promise<Map<string, string | null>> {
  const homes = new Map<string, string | null>();
  for (const session of sessions) homes.set(session, (await turn(one, session)).replica);
  await areAtHome(homes, other);
  await one.patchRouting({ spill_threshold: 7 });
  await eventually(async () => expect((await other.routing()).spill_threshold).toBe(7));
  return homes;
}

async function areAtHome(homes: ReadonlyMap<string, string | null>, warden: TestWarden): Promise<void> {
  for (const [session, replica] of homes) {
    expect(await turn(warden, session)).toEqual({ status: 200, decision: 'sticky', replica });
  }
}

const named = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

const whyAway = async (warden: { readonly url: string }): Promise<string> =>
  (await fleetOf(warden)).shared_memory_error ?? '';

/** As docs/fleet.md has it. */
const RIGHTS = '~warden:* &warden:* +@connection +@read +@write +@scripting +@pubsub +time';

describe('one server', () => {
  it('with a password, and with a user who may do no more than is needed, in a database of its own', async () => {
    const redis = await redisWith(['requirepass "the default\'s"', `user warden on ">p@ss" ${RIGHTS}`]);
    const at = `127.0.0.1:${redis.port}`;
    const [one, other] = await two(`redis://warden:p%40ss@${at}/3`);
    await everyone(true);
    await areShared(one, other);
    const client = await createClient({ url: `redis://:${encodeURIComponent("the default's")}@${at}/3` }).connect();
    closing.push(() => client.destroy());
    expect(await client.dbSize()).toBeGreaterThan(12);
    // The log of an ACL has each thing that was asked for without the right to it.
    expect(await client.sendCommand(['ACL', 'LOG'])).toEqual([]);

    const [byPassword] = await two(`redis://:${encodeURIComponent("the default's")}@${at}/3`);
    await everyone(true);
    await eventually(async () => expect((await fleetOf(byPassword)).members).toHaveLength(4));
  });

  it('whose password is another one is away, and says why without telling it', async () => {
    const redis = await redisWith(['requirepass right']);
    const [one] = await two(`redis://:wrong-password@127.0.0.1:${redis.port}`);
    await eventually(async () => expect(await whyAway(one)).toMatch(/WRONGPASS/));
    expect(await whyAway(one)).not.toContain('wrong-password');
    expect(await turn(one, randomUUID())).toMatchObject({ status: 200, decision: 'placed' });
  });

  it('that is only the copy of another is away: nothing can be written there', async () => {
    const master = await redisWith();
    const copy = await redisWith([`replicaof 127.0.0.1 ${master.port}`]);
    const [one] = await two(copy.url);
    await eventually(async () => expect(await whyAway(one)).toMatch(/READONLY/));
    expect(await isUp(one)).toBe(false);
  });

  it('by TLS, whose certificate has to be by an authority that is known', async () => {
    const { ca, key, cert, remove } = makeCertificates();
    closing.push(remove);
    const redis = await redisWith((port) => [
      'port 0',
      `tls-port ${port}`,
      `tls-ca-cert-file ${ca}`,
      `tls-key-file ${key}`,
      `tls-cert-file ${cert}`,
      'tls-auth-clients no',
      'requirepass secret',
    ]);
    const shared = `rediss://:secret@127.0.0.1:${redis.port}`;
    const [trusting, stranger] = await Promise.all(
      [{ NODE_EXTRA_CA_CERTS: ca }, {}].map(async (env) => {
        const warden = await startWardenProcess({ shared, engines: [engine], env });
        closing.push(async () => {
          await warden.kill();
          rmSync(warden.dataDir, { recursive: true });
        });
        return warden;
      }),
    );
    if (trusting === undefined || stranger === undefined) throw new Error('two wardens were started');
    await eventually(async () => expect(await isUp(trusting)).toBe(true), 8000);
    await eventually(async () => expect(await whyAway(stranger)).toMatch(/unable to verify|self.signed/i), 8000);
    const session = randomUUID();
    const { replica } = await turn(trusting, session);
    expect(await turn(trusting, session)).toEqual({ status: 200, decision: 'sticky', replica });
    expect(await isUp(stranger)).toBe(false);
  });
});

describe('sentinels', () => {
  const PASSWORDS = ['requirepass one', 'masterauth one', 'repl-diskless-sync-delay 0'];

  /** A master with a replica, and a sentinel with a password of its own. */
  async function start() {
    const master = await redisWith(PASSWORDS);
    const replica = await redisWith([...PASSWORDS, `replicaof 127.0.0.1 ${master.port}`]);
    const sentinel = await startSentinel(master.port, ['requirepass two', 'sentinel auth-pass main one']);
    closing.push(() => sentinel.close());
    const asked = createClient({ url: `redis://:two@127.0.0.1:${sentinel.port}` });
    // The sentinel may be ended by the test.
    await asked.on('error', () => {}).connect();
    closing.push(() => asked.destroy());
    await eventually(async () => {
      const known: unknown = await asked.sendCommand(['SENTINEL', 'REPLICAS', 'main']);
      expect(known).toMatchObject([{ port: String(replica.port), 'master-link-status': 'ok' }]);
    }, 15_000);
    return {
      master,
      sentinel,
      failOver: () => asked.sendCommand(['SENTINEL', 'FAILOVER', 'main']),
      url: `redis+sentinel://:one@127.0.0.1:${sentinel.port}/main?sentinel_password=two`,
    };
  }

  type Started = Awaited<ReturnType<typeof start>>;

  it.each([
    ['the master dies', ({ master }: Started): Promise<unknown> => master.stop()],
    ['the master is replaced, and lives on', ({ failOver }: Started): Promise<unknown> => failOver()],
  ])(
    'lead to the master, and to the next one when %s, with all that is known told again',
    async (_, failOver) => {
      const memory = await start();
      const [one, other] = await two(memory.url);
      await everyone(true);
      const homes = await areShared(one, other);
      const stream = await openStream(one);
      // The gap is seen, however short: what was told in it is lost.
      await untilGap(() => failOver(memory));
      await everyone(true, 15_000);
      for (const warden of [other, one]) await areAtHome(homes, warden);
      await areShared(other, one);
      await agree(1);
      stream.leave();
      await agree(0);
    },
    60_000,
  );

  it('may be gone for a while: the master is kept, and its change is heard of afterwards', async () => {
    const { sentinel, url } = await start();
    const [one, other] = await two(url);
    await everyone(true);
    const homes = await areShared(one, other);
    await sentinel.stop();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await Promise.all(wardens.map(isUp))).toEqual([true, true]);
    await areAtHome(homes, other);
    await sentinel.start();
    const failOver = ['SENTINEL', 'FAILOVER', 'main'];
    const asked = await createClient({ url: `redis://:two@127.0.0.1:${sentinel.port}` }).connect();
    await untilGap(() => eventually(async () => expect(await asked.sendCommand(failOver)).toBe('OK'), 10_000));
    asked.destroy();
    await everyone(true, 15_000);
    await areAtHome(homes, one);
  }, 60_000);

  it('whose password is another one are away', async () => {
    const { url } = await start();
    const [one] = await two(url.replace('sentinel_password=two', 'sentinel_password=three'));
    expect(await isUp(one)).toBe(false);
    expect(await turn(one, randomUUID())).toMatchObject({ status: 200, decision: 'placed' });
    await eventually(async () => expect(await whyAway(one)).not.toBe('not connected yet'));
  });
});

function agree(total: number): Promise<void> {
  const asked = wardens.map((warden) => ({ fleet: () => fleetOf(warden) }));
  return agreeWithEngines(asked, [engine], total);
}

describe('a cluster', () => {
  it('of three nodes is one memory; where one of them is gone it is away, until that is back', async () => {
    const nodes = await startCluster();
    const [, , last] = nodes;
    const [one, other] = await two(`redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`);
    await everyone(true);
    const homes = await areShared(one, other, named(24));
    for (const node of nodes) expect(Number(await ask(node, 'DBSIZE'))).toBeGreaterThan(0);
    await agree(0);

    await last.stop();
    await everyone(false);
    await areAtHome(homes, one);
    await last.start();
    await isOk(nodes);
    await everyone(true, 20_000);
    await areAtHome(homes, other);
    await areShared(other, one);
    await agree(0);
  }, 60_000);
});

async function ask({ url }: TestRedis, ...command: string[]): Promise<unknown> {
  const client = await createClient({ url }).connect();
  const answer: unknown = await client.sendCommand(command);
  client.destroy();
  return answer;
}

/** Three masters that share the slots. */
async function startCluster(): Promise<[TestRedis, TestRedis, TestRedis]> {
  const buses = [await freePort(), await freePort(), await freePort()];
  const start = (bus: number | undefined) =>
    redisWith(['cluster-enabled yes', `cluster-port ${bus}`, 'cluster-node-timeout 1000']);
  const nodes: [TestRedis, TestRedis, TestRedis] = [
    await start(buses[0]),
    await start(buses[1]),
    await start(buses[2]),
  ];
  const slots = ['0', '5460', '5461', '10922', '10923', '16383'];
  for (const [index, node] of nodes.entries()) {
    await ask(node, 'CLUSTER', 'ADDSLOTSRANGE', ...slots.slice(2 * index, 2 * index + 2));
    await ask(node, 'CLUSTER', 'MEET', '127.0.0.1', String(nodes[0].port), String(buses[0]));
  }
  await isOk(nodes);
  return nodes;
}

/** Waits until each of them knows all, and serves its slots. */
const isOk = (nodes: readonly TestRedis[]): Promise<void> =>
  eventually(async () => {
    for (const node of nodes) {
      const info = String(await ask(node, 'CLUSTER', 'INFO'));
      expect(info).toContain('cluster_state:ok');
      expect(info).toContain('cluster_known_nodes:3');
    }
  }, 15_000);
