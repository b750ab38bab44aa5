import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { personRecordOf, recordText } from '#lib/access/shared-record.ts';
import { sessionState } from '#lib/contract/access.ts';
import { processStatus } from '#lib/contract/activity.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { createPasswords } from './access/passwords.ts';
import { type Browser, browser, PASSWORD, signIn } from './access-fixtures-for-tests.ts';
import { accessKey, CHANGES_CHANNEL, keyUseKey } from './fleet/shared-keys.ts';
import { readSharedUrl } from './fleet/shared-url.ts';
import { createValkeyClient } from './fleet/valkey-client.ts';
import { createVault } from './fleet/vault.ts';
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
import { eventually, type TestWarden, type TestWardenOptions } from './warden-for-tests.ts';

let redis: TestRedis;
let engine: SimulatedFleet;
let one: TestWarden;
let two: TestWarden;
let wardens: readonly TestWarden[] = [];
let admin: Browser;

beforeEach(async () => {
  redis = await startRedis();
  engine = await startSimulatedFleet({ replicas: 2, speed: 200 });
  [one, two] = await Promise.all([startFleetWarden(engine, redis.url), startFleetWarden(engine, redis.url)]);
  wardens = [one, two];
  admin = await signIn(one, 'admin');
  await allSay([admin, at(two)], true);
}, 60_000);

afterEach(async () => {
  await Promise.all(wardens.map((warden) => warden.close()));
  await engine.close();
  await redis.close();
});

/** The admin, at another warden. */
const at = (warden: TestWarden): Browser => sameBrowserAt(warden, admin, browser);

/** Another warden with an empty database. */
async function another(options: Partial<TestWardenOptions> = {}): Promise<TestWarden> {
  const warden = await startFleetWarden(engine, redis.url, options);
  onTestFinished(() => warden.close());
  return warden;
}

const addPerson = (where: Browser, name: string) =>
  where.request('POST', '/api/people', { name, role: 'viewer', password: PASSWORD });

const modeOf = async (warden: TestWarden) =>
  sessionState.parse(await (await browser(warden).request('GET', '/api/session')).json()).mode;

const namesAt = async (warden: TestWarden) => (await peopleOf(at(warden))).map(({ name }) => name);

/** What somebody can do who reaches the memory. */
async function intruder() {
  const client = createValkeyClient(readSharedUrl(redis.url), () => undefined);
  await client.connect();
  onTestFinished(() => client.destroy());
  const vault = await createVault(PASSWORD);
  const key = accessKey(vault.id);
  const send = (...args: string[]) => client.send(args[1] ?? '', args);
  return { vault, key, send };
}

describe('while the shared memory is away', () => {
  it('each warden goes on with what it knows, and what was taken away meanwhile is gone on all afterwards', async () => {
    const { secret } = await makeKeyAt(admin, { name: 'kept' });
    const revoked = await makeKeyAt(admin, { name: 'revoked' });
    await addPerson(admin, 'vera');
    await everywhere(wardens, revoked.secret, 200);
    await eventually(async () => expect(await namesAt(two)).toContain('vera'), SOON_MS);
    const vera = await signIn(two, 'vera');
    const guest = await signIn(one, 'admin');
    expect((await sameBrowserAt(two, guest, browser).request('GET', '/api/models')).status).toBe(200);

    await redis.stop();
    await allSay([admin, at(two)], false);
    await everywhere(wardens, secret, 200);
    const made = await makeKeyAt(at(two), { name: 'made meanwhile' });
    expect(await statusAt(one, made.secret)).toBe(401);
    await revokeAt(admin, 'revoked');
    expect(await statusAt(one, revoked.secret)).toBe(401);
    const { id } = await personAt(admin, 'vera');
    await admin.request('DELETE', `/api/people/${id}`);
    await guest.request('DELETE', '/api/session');
    expect((await vera.request('GET', '/api/models')).status).toBe(200);

    await redis.start();
    await allSay([admin, at(two)], true);
    await everywhere(wardens, revoked.secret, 401);
    await everywhere(wardens, made.secret, 200);
    await eventually(async () => {
      expect(await namesAt(two)).toEqual(['admin']);
      expect((await vera.request('GET', '/api/models')).status).toBe(401);
      expect((await sameBrowserAt(two, guest, browser).request('GET', '/api/models')).status).toBe(401);
    }, SOON_MS);
  }, 60_000);

  it('a key has on each warden its share of the limits', async () => {
    const { secret } = await makeKeyAt(admin, { requests_per_minute: 7 });
    await eventually(async () => expect((await keysOf(at(two))).length).toBe(1), SOON_MS);
    await redis.stop();
    await allSay([admin, at(two)], false);
    for (const warden of wardens) {
      const statuses = [];
      for (let sent = 0; sent < 4; sent += 1) statuses.push(await statusAt(warden, secret));
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
  }, 60_000);
});

describe('a shared memory that lost everything', () => {
  it('is filled again from the wardens’ databases, without what was revoked and removed, for one that joins too', async () => {
    const { secret } = await makeKeyAt(admin, { name: 'kept' });
    const revoked = await makeKeyAt(admin, { name: 'revoked' });
    for (const name of ['vera', 'ravi']) await addPerson(admin, name);
    await everywhere(wardens, revoked.secret, 200);
    await eventually(async () => expect(await namesAt(two)).toEqual(['admin', 'ravi', 'vera']), SOON_MS);
    await revokeAt(at(two), 'revoked');
    const { id } = await personAt(at(two), 'vera');
    await at(two).request('DELETE', `/api/people/${id}`);
    await everywhere(wardens, revoked.secret, 401);

    await redis.stop();
    await Promise.all(wardens.map((warden) => warden.restart(0)));
    await redis.start();
    await allSay([at(one), at(two)], true);
    const joined = await another({ access: { adminPassword: null, sharedSecret: PASSWORD } });
    await everywhere([...wardens, joined], secret, 200);
    await everywhere([...wardens, joined], revoked.secret, 401);
    // The cookie of before is good there too: sign-ins come back with the rest.
    await eventually(async () => expect(await namesAt(joined)).toEqual(['admin', 'ravi']), SOON_MS);
    expect(await canSignIn(joined, 'ravi')).toBe(true);
    expect(await canSignIn(joined, 'vera')).toBe(false);
  }, 60_000);

  it('is filled again where it was emptied without a word', async () => {
    const { secret } = await makeKeyAt(admin);
    await everywhere(wardens, secret, 200);
    const { send } = await intruder();
    await send('FLUSHALL');
    await everywhere([await another()], secret, 200);
  }, 60_000);
});

describe('a database from a backup', () => {
  it('brings back no key that was revoked and nobody who was removed since', async () => {
    const { secret } = await makeKeyAt(admin, { name: 'revoked' });
    await addPerson(admin, 'vera');
    await everywhere(wardens, secret, 200);
    await eventually(async () => expect(await namesAt(two)).toContain('vera'), SOON_MS);
    const file = join(two.dataDir, 'warden.db');
    await two.restart(0, () => copyFileSync(file, `${file}-backup`));
    await revokeAt(admin, 'revoked');
    const { id } = await personAt(admin, 'vera');
    await admin.request('DELETE', `/api/people/${id}`);
    await everywhere(wardens, secret, 401);
    await two.restart(0, () => {
      for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
      copyFileSync(`${file}-backup`, file);
    });
    await allSay([admin, at(two)], true);
    await everywhere(wardens, secret, 401);
    await eventually(async () => {
      for (const warden of wardens) expect(await namesAt(warden)).toEqual(['admin']);
    }, SOON_MS);
  }, 60_000);
});

describe('whoever can write to the shared memory', () => {
  const eve = async (name: string) =>
    recordText(
      personRecordOf({
        id: 0,
        name,
        role: 'admin',
        passwordHash: await createPasswords().hash(PASSWORD),
        createdAt: 1,
        passwordChangedAt: Date.now() + 1e9,
        generation: 99,
        roleVersion: 99,
        passwordVersion: 99,
      }),
    );

  it('gets nobody in and no warden down, whatever is written there', async () => {
    const { secret } = await makeKeyAt(admin);
    await everywhere(wardens, secret, 200);
    const { vault, key, send } = await intruder();
    const other = await createVault('another secret, of 16');
    const admins = vault.place('person:admin');
    const eves = vault.place('person:eve');
    const own = await send('HGET', key, admins);
    await send('HSET', key, admins, other.seal(admins, await eve('admin')));
    await send('HSET', key, eves, other.seal(eves, await eve('eve')));
    await send('HSET', key, 'person:eve', await eve('eve'));
    await send('HSET', key, eves.slice(1), vault.seal(eves, await eve('eve')));
    await send('HSET', key, vault.place('person:mallory'), String(own));
    for (const junk of ['', '1', '{}', 'null', '\u0000', 'x'.repeat(100_000)])
      await send('HSET', key, `junk${junk.length}`, junk);
    const understood = ['null', '[]', '{"kind":"group"}', '{"kind":"person","name":"eve"}', '{', '9'.repeat(400)];
    for (const [index, text] of understood.entries()) {
      await send('HSET', key, vault.place(`key:${index}`), vault.seal(vault.place(`key:${index}`), text));
    }
    await send('HINCRBY', key, 'sequence', '1000');
    await send('HSET', keyUseKey(vault.id), 'someone', 'junk', '__proto__', '{}');
    for (const text of ['', '{', '{"kind":"access"}', `{"kind":"access","from":"x","place":"${eves}"}`]) {
      await send('PUBLISH', CHANGES_CHANNEL, text);
    }
    // A change of our own comes through all of it.
    await addPerson(admin, 'vera');
    await eventually(async () => {
      for (const warden of wardens) expect(await namesAt(warden)).toEqual(['admin', 'vera']);
      expect(await send('HGET', key, admins)).not.toBe(other.seal(admins, ''));
    }, SOON_MS);
    for (const warden of wardens) expect(await canSignIn(warden, 'eve')).toBe(false);
    await everywhere([...wardens, await another()], secret, 200);
    expect(
      await eventually(async () => vault.open(admins, String(await send('HGET', key, admins))), SOON_MS),
    ).toContain('admin');
  }, 60_000);

  it('cannot bring back what was revoked by writing an old record, nor learn a name or a hash by reading', async () => {
    const { secret } = await makeKeyAt(admin, { name: 'a telling name' });
    await everywhere(wardens, secret, 200);
    const { key, send } = await intruder();
    const before = JSON.stringify(await send('HGETALL', key));
    for (const told of ['a telling name', 'admin', 'scrypt', 'keyHash']) expect(before).not.toContain(told);
    const old: unknown = JSON.parse(before);
    await revokeAt(admin, 'a telling name');
    await everywhere(wardens, secret, 401);
    if (typeof old !== 'object' || old === null) throw new Error('no fields');
    for (const [place, text] of Object.entries(old)) await send('HSET', key, place, String(text));
    // Who joins at that moment believes it, until another one compares.
    await everywhere([...wardens, await another()], secret, 401, 20_000);
    for (const warden of wardens) await warden.restart(0);
    await everywhere(wardens, secret, 401);
  }, 60_000);

  it('who puts something else where the records belong only has it made anew', async () => {
    const { key, send } = await intruder();
    await send('SET', key, 'a string');
    await addPerson(admin, 'vera');
    await eventually(async () => expect(await namesAt(two)).toContain('vera'), SOON_MS);
  }, 60_000);
});

describe('a warden that joins', () => {
  it('where others than this machine reach it lets nobody choose a password who is not of the fleet', async () => {
    const { secret } = await makeKeyAt(admin);
    await addPerson(admin, 'vera');
    const joined = await another({
      host: '0.0.0.0',
      access: { adminPassword: null, sharedSecret: PASSWORD, firstRun: true },
    });
    const reached = { url: joined.url.replace('0.0.0.0', '127.0.0.1') };
    expect(await signIn(reached, 'vera').then(() => true)).toBe(true);
    expect(await sessionModeAt(reached)).toBe('password');
    expect(secret).toMatch(/^lmw_/);
  }, 60_000);

  it('with another secret shares nothing of it, and one without any says so', async () => {
    const { secret } = await makeKeyAt(admin);
    await everywhere(wardens, secret, 200);
    const stranger = await another({ access: { adminPassword: 'another password' } });
    const there = await signIn(stranger, 'admin', 'another password');
    expect(await statusAt(stranger, secret)).toBe(200);
    expect(await keysOf(there)).toEqual([]);
    const own = await makeKeyAt(there);
    expect(await statusAt(one, own.secret)).toBe(401);
    const silent = await another({ access: { adminPassword: null } });
    await makeKeyAt(browser(silent));
    const { warnings } = processStatus.parse(await (await browser(silent).request('GET', '/api/status')).json());
    expect(warnings.map(({ code }) => code)).toContain('access_not_shared');
  }, 60_000);

  it('on loopback is open to nobody until it has heard whether there are people', async () => {
    await redis.stop();
    const joined = await another({ access: { adminPassword: null, sharedSecret: 'a secret of a fleet' } });
    expect(await modeOf(joined)).toBe('locked');
    expect(await statusAt(joined, 'lmw_nobody')).toBe(401);
    await redis.start();
    await eventually(async () => expect(await modeOf(joined)).toBe('open'), 15_000);
  }, 60_000);
});

async function sessionModeAt(warden: Pick<TestWarden, 'url'>) {
  return sessionState.parse(await (await browser(warden).request('GET', '/api/session')).json()).mode;
}
