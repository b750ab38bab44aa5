import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditList, sessionState } from '#lib/contract/access.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { type Browser, browser, PASSWORD, signIn, turn } from './access-fixtures-for-tests.ts';
import {
  allSay,
  canSignIn,
  everywhere,
  keysOf,
  makeKeyAt,
  peopleOf,
  personAt,
  revokeAt,
  SOON_MS,
  sameBrowserAt,
  startFleetWarden,
  statusAt,
} from './fleet-access-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, type TestWarden } from './warden-for-tests.ts';

let redis: TestRedis;
let engine: SimulatedFleet;
let wardens: TestWarden[] = [];
let admins: Browser[] = [];

beforeAll(async () => {
  redis = await startRedis();
  engine = await startSimulatedFleet({ replicas: 2, speed: 10 });
  wardens = await Promise.all([1, 2, 3].map(() => startFleetWarden(engine, redis.url)));
  admins = await Promise.all(wardens.map((warden) => signIn(warden, 'admin')));
  await allSay(admins, true);
}, 60_000);

afterAll(async () => {
  await Promise.all(wardens.map((warden) => warden.close()));
  await engine.close();
  await redis.close();
});

/** The three that are started for every test. */
function three<Value>(all: readonly Value[]): readonly [Value, Value, Value] {
  const [one, two, other] = all;
  if (one === undefined || two === undefined || other === undefined) throw new Error('three wardens were started');
  return [one, two, other];
}

async function stateOf(one: Browser) {
  const answer = await one.request('GET', '/api/session');
  return sessionState.parse(await answer.json());
}
/** Waits until all wardens have somebody on their lists. */
const knownEverywhere = (name: string) =>
  eventually(async () => {
    for (const admin of admins) expect((await peopleOf(admin)).map((person) => person.name)).toContain(name);
  }, SOON_MS);
const at = (warden: TestWarden, one: Browser): Browser => sameBrowserAt(warden, one, browser);

describe('keys of a fleet', () => {
  it('work on all wardens when they are made on one, and on none when they are revoked on another', async () => {
    const [one, two] = three(admins);
    const { secret } = await makeKeyAt(one, { name: 'build farm', models: null });
    await everywhere(wardens, secret, 200);
    for (const admin of admins) {
      expect(await keysOf(admin)).toMatchObject([{ name: 'build farm', created_by: 'admin', state: 'active' }]);
    }
    await revokeAt(two, 'build farm');
    await everywhere(wardens, secret, 401);
    for (const admin of admins) expect(await keysOf(admin)).toMatchObject([{ state: 'revoked' }]);
  }, 60_000);

  it('are for the same models on all wardens, and end at the same time', async () => {
    const [one] = three(admins);
    const other = await makeKeyAt(one, { models: ['qwen3-4b-dp4'], name: 'for one model' });
    const expiring = await makeKeyAt(one, { expires_at: new Date(Date.now() + 3000).toISOString() });
    await everywhere(wardens, other.secret, 200);
    for (const admin of admins) {
      expect((await keysOf(admin)).map(({ models }) => models)).toContainEqual(['qwen3-4b-dp4']);
    }
    await everywhere(wardens, expiring.secret, 401);
  }, 60_000);

  it('have one limit of requests per minute over all wardens, but for what came in the last moment', async () => {
    const [one, two] = three(wardens);
    const { secret } = await makeKeyAt(three(admins)[0], { requests_per_minute: 40 });
    await everywhere([two], secret, 200);
    for (let sent = 0; sent < 20; sent += 1) expect(await statusAt(two, secret)).toBe(200);
    // Alone it would let 40 through.
    let admitted = 0;
    while ((await statusAt(one, secret)) === 200) admitted += 1;
    expect(admitted).toBeLessThan(40);
    await everywhere(wardens, secret, 429);
  }, 60_000);

  it('have one limit of requests at a time over all wardens', async () => {
    const [one, two, other] = three(wardens);
    const { secret } = await makeKeyAt(three(admins)[0], { concurrent_requests: 1 });
    await everywhere(wardens, secret, 200);
    const leaving = new AbortController();
    const long = { ...turn(), max_tokens: 30_000, ignore_eos: true, stream: true };
    const headers = { authorization: `Bearer ${secret}` };
    const running = await eventually(async () => {
      const answer = await one.post('/v1/chat/completions', long, headers, leaving.signal);
      expect(answer.status).toBe(200);
      return answer;
    });
    await eventually(async () => {
      for (const warden of [two, other]) expect(await statusAt(warden, secret)).toBe(429);
    }, SOON_MS);
    leaving.abort();
    await running.text().catch(() => undefined);
    await everywhere([two], secret, 200);
  }, 60_000);
});

describe('people of a fleet', () => {
  it('keep an admin: the last one cannot be removed, here or there', async () => {
    for (const admin of admins) {
      const { id } = await personAt(admin, 'admin');
      expect((await admin.request('DELETE', `/api/people/${id}`)).status).toBe(409);
    }
  });

  it('sign in on all wardens when they are added on one, and on none when they are removed on another', async () => {
    const [one, two, other] = three(admins);
    await one.request('POST', '/api/people', { name: 'Vera', role: 'viewer', password: PASSWORD });
    await knownEverywhere('Vera');
    const viewers = await Promise.all(wardens.map((warden) => signIn(warden, 'Vera')));
    const { id } = await personAt(two, 'Vera');
    expect((await two.request('DELETE', `/api/people/${id}`)).status).toBe(200);
    await eventually(async () => {
      for (const viewer of viewers) expect((await viewer.request('GET', '/api/models')).status).toBe(401);
      for (const admin of [one, other]) {
        expect((await peopleOf(admin)).map(({ name }) => name)).not.toContain('Vera');
      }
    }, SOON_MS);
    expect(await canSignIn(three(wardens)[2], 'Vera')).toBe(false);
    // The name given anew is somebody else: no session of the one before, another password.
    await other.request('POST', '/api/people', { name: 'vera', role: 'admin', password: 'quite another one' });
    await knownEverywhere('vera');
    for (const warden of wardens) expect(await canSignIn(warden, 'vera', 'quite another one')).toBe(true);
    for (const viewer of viewers) expect((await viewer.request('GET', '/api/models')).status).toBe(401);
  }, 60_000);

  it('have another role on all wardens at once, in the sessions they have', async () => {
    const [one, two] = three(admins);
    await one.request('POST', '/api/people', { name: 'ravi', role: 'viewer', password: PASSWORD });
    await knownEverywhere('ravi');
    const ravi = await signIn(three(wardens)[1], 'ravi');
    expect((await ravi.request('GET', '/api/people')).status).toBe(403);
    const { id } = await personAt(two, 'ravi');
    await two.request('PATCH', `/api/people/${id}`, { role: 'admin' });
    await eventually(async () => {
      for (const warden of wardens) expect((await at(warden, ravi).request('GET', '/api/people')).status).toBe(200);
    }, SOON_MS);
  }, 60_000);

  it('are signed out on all wardens by a new password, but for the one who chose it', async () => {
    const [here, there] = three(wardens);
    await three(admins)[0].request('POST', '/api/people', { name: 'mina', role: 'viewer', password: PASSWORD });
    await knownEverywhere('mina');
    const chooser = await signIn(here, 'mina');
    const other = await signIn(there, 'mina');
    const chosen = { current: PASSWORD, password: 'a new one, longer' };
    expect((await chooser.request('PATCH', '/api/session/password', chosen)).status).toBe(200);
    await eventually(async () => {
      for (const warden of wardens) expect((await at(warden, other).request('GET', '/api/models')).status).toBe(401);
    }, SOON_MS);
    for (const warden of wardens) expect((await at(warden, chooser).request('GET', '/api/models')).status).toBe(200);
    expect(await canSignIn(there, 'mina')).toBe(false);
    expect(await canSignIn(there, 'mina', 'a new one, longer')).toBe(true);
  }, 60_000);
});

describe('a sign-in', () => {
  it('is good on the other wardens with their very next request, and over on all after signing out', async () => {
    const [one, two, other] = three(wardens);
    const admin = await signIn(one, 'admin');
    for (const warden of [two, other]) {
      expect(await stateOf(at(warden, admin))).toMatchObject({ name: 'admin', role: 'admin' });
    }
    await at(two, admin).request('DELETE', '/api/session');
    await eventually(async () => {
      for (const warden of wardens) {
        expect((await at(warden, admin).request('GET', '/api/models')).status).toBe(401);
      }
    }, SOON_MS);
    await Promise.all(wardens.map((warden) => warden.restart()));
    for (const warden of wardens) expect((await at(warden, admin).request('GET', '/api/models')).status).toBe(401);
  }, 60_000);

  it('lets the console send a request of its own on any warden', async () => {
    const [one, two] = three(wardens);
    const admin = await signIn(one, 'admin');
    expect((await at(two, admin).request('POST', '/v1/chat/completions', turn())).status).toBe(200);
  }, 60_000);

  it('with a cookie that nobody gave is no one anywhere', async () => {
    const stranger = browser(three(wardens)[0]);
    stranger.cookie = `warden_session=${'A'.repeat(43)}`;
    for (const warden of wardens) expect((await at(warden, stranger).request('GET', '/api/models')).status).toBe(401);
  });

  it('is on the audit list of the warden where it was made', async () => {
    const [one] = three(admins);
    await makeKeyAt(one, { name: 'listed' });
    const entries = async (admin: Browser) =>
      ((await (await admin.request('GET', '/api/audit?action=key.make')).json()) as AuditList).entries;
    expect((await entries(one))[0]).toMatchObject({ subject: 'listed', actor: 'admin' });
    for (const admin of admins.slice(1)) expect(await entries(admin)).toEqual([]);
  });
});
