import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { auditList } from '#lib/contract/access.ts';
import { startRedis } from '#scripts/start-redis.ts';
import { type Browser, browser, PASSWORD, signIn, startGuardedWarden, turn } from './access-fixtures-for-tests.ts';
import { API_ROUTES } from './api/routes.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { DEMO_MODEL } from './simulated-source.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const entriesOf = async (one: Browser, query = '') =>
  auditList.parse(await (await one.request('GET', `/api/audit?${query}`)).json()).entries;

/** Routes that leave no entry here, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST /api/models/probe': 'it asks an engine and keeps nothing',
  'POST /api/first-run': 'nobody can sign in before it: access.test.ts looks at its entry',
};

type World = {
  readonly warden: TestWarden;
  readonly admin: Browser;
  /** Another model's engine, and a conversation that has a home. */
  readonly engineUrl: string;
  readonly session: string;
};
type Send = (world: World) => Promise<Response>;

const model = encodeURIComponent(DEMO_MODEL);
const NEVER = { steps: [1], seconds: 600, warmup_seconds: 0, policies: ['off'], allow_traffic: true };

/** A call of each route that changes something, in this order: what a later one needs, an earlier one has made. */
const CALLS: Readonly<Record<string, Send>> = {
  'POST /api/models': ({ admin, engineUrl }) =>
    admin.request('POST', '/api/models', { name: 'other', urls: [engineUrl] }),
  'PATCH /api/models/{name}': ({ admin }) => admin.request('PATCH', '/api/models/other', { aliases: ['o-*'] }),
  'PATCH /api/models/{name}/routing': ({ admin }) =>
    admin.request('PATCH', `/api/models/${model}/routing`, { spill_threshold: 3 }),
  'PATCH /api/models/{name}/replicas/{replica}': ({ admin }) =>
    admin.request('PATCH', `/api/models/${model}/replicas/1`, { draining: true }),
  'POST /api/sessions/{key}/home': async ({ admin, session }) => {
    const at = `/api/sessions/${session}/home?model=${model}`;
    const first = await admin.request('POST', at, { replica: 2 });
    // It may have lived there.
    return first.ok ? admin.request('POST', at, { replica: 3 }) : first;
  },
  'DELETE /api/sessions/{key}': ({ admin, session }) =>
    admin.request('DELETE', `/api/sessions/${session}?model=${model}`),
  'POST /api/demo': ({ admin }) => admin.request('POST', '/api/demo', { sessions: 1 }),
  'POST /api/benchmarks': ({ admin }) => admin.request('POST', '/api/benchmarks', { model: DEMO_MODEL, ...NEVER }),
  'DELETE /api/benchmarks/{id}': async ({ admin }) => {
    const runs = await admin.request('GET', '/api/benchmarks');
    const [run] = z.object({ runs: z.array(z.object({ id: z.number() })) }).parse(await runs.json()).runs;
    return admin.request('DELETE', `/api/benchmarks/${run?.id}`);
  },
  'POST /api/session': ({ warden }) =>
    browser(warden).request('POST', '/api/session', { name: 'vera', password: PASSWORD }),
  'DELETE /api/session': async ({ warden }) => (await signIn(warden, 'vera')).request('DELETE', '/api/session'),
  'PATCH /api/session/password': async ({ warden }) =>
    (await signIn(warden, 'vera')).request('PATCH', '/api/session/password', {
      current: PASSWORD,
      password: `${PASSWORD}!`,
    }),
  'POST /api/people': ({ admin }) =>
    admin.request('POST', '/api/people', { name: 'asha', role: 'viewer', password: PASSWORD }),
  'PATCH /api/people/{id}': async ({ admin }) =>
    admin.request('PATCH', `/api/people/${await personId(admin, 'asha')}`, { role: 'admin' }),
  'DELETE /api/people/{id}': async ({ admin }) =>
    admin.request('DELETE', `/api/people/${await personId(admin, 'asha')}`),
  'POST /api/keys': ({ admin }) => admin.request('POST', '/api/keys', { name: 'farm' }),
  'DELETE /api/keys/{id}': ({ admin }) => admin.request('DELETE', '/api/keys/1'),
  'PATCH /api/settings': ({ admin }) => admin.request('PATCH', '/api/settings', { retention: { request_days: 5 } }),
  'DELETE /api/models/{name}': ({ admin }) => admin.request('DELETE', `/api/models/${model}`),
  'POST /api/models/simulated': ({ admin }) => admin.request('POST', '/api/models/simulated', {}),
};

async function personId(admin: Browser, name: string): Promise<number | undefined> {
  const people = z.object({ people: z.array(z.object({ id: z.number(), name: z.string() })) });
  const all = people.parse(await (await admin.request('GET', '/api/people')).json()).people;
  return all.find((person) => person.name === name)?.id;
}

describe('every call that changes something', () => {
  const mutating = API_ROUTES.filter(({ method }) => method !== 'GET').map(({ method, path, audit }) => {
    const template = path.source
      .slice(1, -1)
      .replace(/\\([/.])/g, '$1')
      .replace(/\(\?<(\w+)>[^)]*\)/g, '{$1}');
    return { route: `${method} ${template}`, audit };
  });

  it('has a rule of the audit list, unless it changes nothing', () => {
    const without = mutating.filter(({ audit }) => audit === undefined || audit === 'none').map(({ route }) => route);
    expect(without).toEqual(['POST /api/models/probe']);
  });

  it('is made here, or is an exception', () => {
    const made = [...Object.keys(CALLS), ...Object.keys(EXCEPTIONS)];
    expect(made.toSorted()).toEqual(mutating.map(({ route }) => route).toSorted());
  });

  // What a later call needs, an earlier one has made.
  describe('leaves an entry', { shuffle: false }, () => {
    let world: World;
    let closing: () => Promise<void>;
    beforeAll(async () => {
      const engine = await startSimulatedFleet({ replicas: 1, speed: 50 });
      const { warden, admin } = await startGuardedWarden({ fleets: [], simulated: true });
      const sent = { 'content-type': 'application/json', 'x-session-id': 'a conversation' };
      const body = JSON.stringify({ ...turn(DEMO_MODEL), messages: [{ role: 'user', content: 'word '.repeat(4000) }] });
      await (await fetch(`${warden.url}/v1/chat/completions`, { method: 'POST', headers: sent, body })).text();
      const list = z.object({ sessions: z.array(z.object({ key: z.string() })).min(1) });
      const { sessions } = list.parse(await (await admin.request('GET', `/api/sessions?model=${model}`)).json());
      world = { warden, admin, engineUrl: engine.url, session: sessions[0]?.key ?? '' };
      closing = async () => {
        await warden.close();
        await engine.close();
      };
    }, 60_000);
    afterAll(() => closing());

    it.each(Object.entries(CALLS))('%s', async (route, send) => {
      const action = mutating.find((one) => one.route === route)?.audit;
      const expected = typeof action === 'object' ? action.action : '';
      const before = (await entriesOf(world.admin, `action=${expected}`))[0]?.id ?? 0;
      const answer = await send(world);
      expect(answer.status, await answer.clone().text()).toBeLessThan(300);
      const [entry] = await entriesOf(world.admin, `action=${expected}`);
      expect(entry?.id).toBeGreaterThan(before);
      expect(['admin', 'vera']).toContain(entry?.actor);
    });

    it('with what a benchmark was before it was removed', async () => {
      const [entry] = await entriesOf(world.admin, 'action=benchmark.remove');
      expect(entry).toMatchObject({ before: { status: 'running' }, after: { status: 'cancelled' } });
    });

    it('and what the benchmark switched and put back is told as its own', async () => {
      const switched = await entriesOf(world.admin, 'actor=benchmark');
      expect(
        switched.map(({ role, action, subject, before, after }) => [role, action, subject, before, after]),
      ).toEqual([
        [
          'system',
          'routing.change',
          DEMO_MODEL,
          { affinity: false, cache_fit: false },
          { affinity: null, cache_fit: null },
        ],
        [
          'system',
          'routing.change',
          DEMO_MODEL,
          { affinity: null, cache_fit: null },
          { affinity: false, cache_fit: false },
        ],
      ]);
    });
  });
});

describe('what changes without a call', () => {
  const closing: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const part of closing.splice(0).reverse()) await part.close();
  });
  const started = async (options: Parameters<typeof startTestWarden>[0]) => {
    const warden = await startTestWarden(options);
    closing.push(warden);
    return warden;
  };

  it('a reloaded configuration, with what differs and without a key', async () => {
    const engine = await startSimulatedFleet({ replicas: 1, speed: 50, apiKey: 'SECRET-2' });
    closing.push(engine);
    const warden = await started({ fleets: [engine], model: { api_key: 'SECRET-1' } });
    const path = join(warden.dataDir, 'warden.yaml');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, `# only a remark\n${text}`);
    process.kill(process.pid, 'SIGHUP');
    writeFileSync(path, text.replace('SECRET-1', 'SECRET-2').replace('max_num_seqs: 32', 'max_num_seqs: 16'));
    process.kill(process.pid, 'SIGHUP');
    const one = browser(warden);
    const key = `models.${TEST_MODEL}.api_key`;
    const seqs = `models.${TEST_MODEL}.max_num_seqs`;
    await eventually(async () =>
      expect(await entriesOf(one)).toMatchObject([
        {
          actor: 'configuration file',
          role: 'system',
          action: 'configuration.reload',
          subject: path,
          before: { [key]: 'set', [seqs]: 32 },
          after: { [key]: 'another one', [seqs]: 16 },
        },
      ]),
    );
    expect(JSON.stringify(await entriesOf(one))).not.toContain('SECRET');
  });

  it('the password of the environment, once for each that is another', async () => {
    const access = { adminPassword: PASSWORD };
    const warden = await started({ fleets: [{ url: 'http://127.0.0.1:1' }], access });
    await warden.restart();
    const made = {
      actor: 'environment',
      role: 'system',
      action: 'person.add',
      subject: 'admin',
      after: { role: 'admin' },
    };
    const ofEnvironment = async () =>
      entriesOf(await signIn(warden, 'admin', access.adminPassword), 'actor=environment');
    expect(await ofEnvironment()).toMatchObject([made]);
    access.adminPassword = 'another good password';
    await warden.restart();
    expect(await ofEnvironment()).toMatchObject([
      { actor: 'environment', action: 'person.change', subject: 'admin', after: { password: 'another one' } },
      made,
    ]);
    expect(JSON.stringify(await ofEnvironment())).not.toContain('another good password');
  });

  it('what another warden of the fleet was told', async () => {
    const redis = await startRedis();
    closing.push(redis);
    const engine = await startSimulatedFleet({ replicas: 1, speed: 50 });
    closing.push(engine);
    const [one, other] = [
      await started({ fleets: [engine], shared: redis.url }),
      await started({ fleets: [engine], shared: redis.url }),
    ];
    const knows = z.object({ members: z.array(z.object({ url: z.string().min(1) })).length(2) });
    for (const warden of [one, other]) {
      await eventually(async () => knows.parse(await (await fetch(`${warden.url}/api/fleet`)).json()), 10_000);
    }
    await one.patchRouting({ affinity: false });
    const entry = { action: 'routing.change', subject: TEST_MODEL, after: { affinity: false } };
    expect(await entriesOf(browser(one))).toMatchObject([{ ...entry, actor: 'local' }]);
    await eventually(async () =>
      expect(await entriesOf(browser(other))).toMatchObject([
        { ...entry, actor: `warden ${one.url}`, role: 'system', before: { affinity: null } },
      ]),
    );
  });
});
