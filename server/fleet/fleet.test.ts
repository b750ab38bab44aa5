import { setImmediate } from 'node:timers/promises';
import { createClient } from '@redis/client';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOTHING_ELSEWHERE, type ToldConversation } from '#lib/cache-fit/types.ts';
import { createRouter, type Router } from '#lib/routing/router.ts';
import type { SessionKey } from '#lib/routing/types.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { type Fleet, type FleetHost, joinFleet } from './fleet.ts';
import { ABOUT_KEY, CHANGES_CHANNEL } from './shared-keys.ts';
import type { SharedModel } from './shared-model.ts';
import { readSharedUrl } from './shared-url.ts';

const IDS = ['http://a:8000#0', 'http://a:8000#1', 'http://b:8000#0'];
const key = (hash: string): SessionKey => ({ hash, source: 'x-session-id' });
const never = () => false;

/** A warden's side of the fleet: the real router of one model, and its setting. */
function createMember(redis: TestRedis, id: string, smallFleet?: number, ids: readonly string[] = IDS) {
  const router: Router = createRouter({ replicaCount: ids.length });
  const movedByHand: string[] = [];
  let setting = JSON.stringify({ affinity: null, by: id });
  const counts = [0, 0, 0];
  /** Conversations that had a turn here, of 100 tokens each. */
  const served = [0, 0, 0];
  const waitsMs: number[] = [];
  const told: ToldConversation[] = [];
  const host: FleetHost = {
    name: 'm',
    replicaIds: () => ids,
    replicaOf: (replica) => (ids.includes(replica) ? ids.indexOf(replica) : null),
    inFlight: (replica) => counts[replica] ?? 0,
    waitsMs: () => waitsMs,
    told: () => told,
    liveSessions: (replica) => router.liveSessions(replica, Date.now()),
    served: () => served.map((conversations) => ({ conversations, unsharedTokens: 100 * conversations })),
    homes: () => router.homes(Date.now()),
    adopt: (session, replica) => router.adopt(session, replica, Date.now()),
    forget: (hash) => router.forget(hash),
    movedByHand: (hash) => movedByHand.push(hash),
    info: () => {
      const { live, tokens } = shared.ownShare();
      return { in_flight: counts[0] ?? 0, held: waitsMs.length, live_sessions: live, working_set_tokens: tokens };
    },
    setting: () => setting,
    applySetting: async (json) => {
      setting = json;
    },
    elsewhereChanged: () => {},
  };
  const fleet: Fleet = joinFleet({
    address: readSharedUrl(redis.url),
    id,
    about: () => ({ url: `http://${id}`, version: '0', started_at: new Date(0).toISOString() }),
    now: Date.now,
    log: pino({ level: 'silent' }),
    ...(smallFleet === undefined ? {} : { smallFleet }),
  });
  const shared: SharedModel = fleet.join(host);
  return {
    fleet,
    shared,
    router,
    served,
    waitsMs,
    told,
    movedByHand,
    setting: () => setting,
    change(json: string) {
      setting = json;
      fleet.settingChanged('m');
    },
    /** `saving`: what goes on until it is saved. */
    changeSlowly(json: string, saving: () => Promise<void>) {
      return fleet.changeSetting('m', async () => {
        setting = json;
        await saving();
      });
    },
    setInFlight(replica: number, count: number) {
      counts[replica] = count;
      shared.loadChanged(replica);
    },
    /** As the router does: at home here, then asked of the fleet. */
    async place(hash: string, replica: number) {
      router.adopt(key(hash), replica, Date.now());
      const inForce = (await shared.claim(key(hash), replica, never))?.replica ?? null;
      if (inForce !== null) router.adopt(key(hash), inForce, Date.now());
      return inForce;
    },
    homeOf: (hash: string) => router.home(hash, Date.now())?.replica ?? null,
  };
}

type Member = ReturnType<typeof createMember>;

let redis: TestRedis;
let members: Member[] = [];

beforeEach(async () => {
  redis = await startRedis();
  members = ['one', 'two', 'three'].map((id) => createMember(redis, id));
  await areUp();
});

afterEach(async () => {
  await Promise.all(members.map(({ fleet }) => fleet.close()));
  await redis.close();
});

const areUp = () => vi.waitFor(() => expect(members.every(({ fleet }) => fleet.isUp)).toBe(true), { timeout: 30_000 });
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 50 });

function three(): [Member, Member, Member] {
  const [one, two, other] = members;
  if (one === undefined || two === undefined || other === undefined) throw new Error('three members were started');
  return [one, two, other];
}

describe('homes in the shared memory', () => {
  it('gives a conversation that several wardens place at the same moment one home', async () => {
    const rounds = Array.from({ length: 100 }, (_, index) => `conversation ${index}`);
    for (const hash of rounds) {
      const inForce = await Promise.all(members.map((member, index) => member.place(hash, index)));
      expect(new Set(inForce).size).toBe(1);
    }
  });

  it('tells the others of a home that was moved or forgotten', async () => {
    const [one, two] = three();
    await one.place('a', 0);
    await two.place('a', 1);
    expect(two.homeOf('a')).toBe(0);
    one.router.adopt(key('a'), 2, Date.now());
    one.shared.moved(key('a'), 2, false);
    await until(() => expect(two.homeOf('a')).toBe(2));
    one.router.forget('a');
    one.shared.moved(key('a'), null, true);
    await until(() => expect(two.homeOf('a')).toBeNull());
    expect(two.movedByHand).toEqual(['a']);
    expect(await two.place('a', 1)).toBe(1);
  });

  it('asks the memory where two wardens moved a conversation at the same moment, whatever it heard last', async () => {
    const [one, two] = three();
    await one.place('a', 0);
    await two.place('a', 0);
    one.router.adopt(key('a'), 1, Date.now());
    two.router.adopt(key('a'), 2, Date.now());
    one.shared.moved(key('a'), 1, false);
    two.shared.moved(key('a'), 2, false);
    // As it comes where the other's message was longer under way than this warden's own move.
    two.shared.onMoved({ key: key('a'), replica: IDS[1] ?? '', byHand: false });
    await until(() => expect([one, two].map(({ shared }) => shared.isConfirmed('a'))).toEqual([false, false]));
    const inForce = await Promise.all([one.place('a', 0), two.place('a', 0)]);
    expect(inForce[0]).toBe(inForce[1]);
  });

  it('replaces a home on a replica that is gone, once', async () => {
    const [one, two, other] = three();
    await one.place('a', 0);
    const isGone = (replica: number) => replica === 0;
    const settled = await Promise.all([two.shared.claim(key('a'), 1, isGone), other.shared.claim(key('a'), 2, isGone)]);
    expect(new Set(settled.map((claimed) => claimed?.replica)).size).toBe(1);
    expect(settled[0]?.replica).not.toBe(0);
  });
});

describe('requests in flight', () => {
  it('counts what the other wardens have there', async () => {
    const [one, two, other] = three();
    one.setInFlight(0, 3);
    two.setInFlight(0, 2);
    two.setInFlight(1, 1);
    await until(() => expect([0, 1, 2].map(other.shared.elsewhere.inFlight)).toEqual([5, 1, 0]));
    await until(() => expect([0, 1, 2].map(one.shared.elsewhere.inFlight)).toEqual([2, 1, 0]));
    one.setInFlight(0, 0);
    two.setInFlight(0, 0);
    two.setInFlight(1, 0);
    await until(() => expect([0, 1, 2].map(other.shared.elsewhere.inFlight)).toEqual([0, 0, 0]));
  });

  it('says goodbye for what it had when it ends in order', async () => {
    const [one, , other] = three();
    one.setInFlight(0, 7);
    await until(() => expect(other.shared.elsewhere.inFlight(0)).toBe(7));
    await one.fleet.close();
    await until(() => expect(other.shared.elsewhere.inFlight(0)).toBe(0));
    await until(() => expect(other.fleet.members().map(({ id }) => id)).toEqual(['three', 'two']));
  });
});

describe('requests in flight on a replica of very many', () => {
  it('are asked for again until nothing is left there, though this warden sends nothing there any more', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `http://many:8000#${index}`);
    const [one, two] = ['fourth', 'fifth'].map((id) => createMember(redis, id, undefined, ids));
    if (one === undefined || two === undefined) throw new Error('two members were started');
    members.push(one, two);
    await areUp();
    two.setInFlight(7, 8);
    await until(() => expect(two.shared.elsewhere.inFlight(7)).toBe(0));
    one.setInFlight(7, 1);
    await until(() => expect(one.shared.elsewhere.inFlight(7)).toBe(8));
    one.setInFlight(7, 0);
    two.setInFlight(7, 0);
    await until(() => expect(one.shared.elsewhere.inFlight(7)).toBe(0));
  });
});

describe('the shared memory away', () => {
  it('is noticed when it takes no writes, and until it does', async () => {
    const [one, two] = three();
    await one.place('before', 0);
    const admin = await createClient({ url: redis.url }).connect();
    await admin.configSet('maxmemory', '1');
    await until(() => expect([one, two].map(({ fleet }) => fleet.isUp)).toEqual([false, false]));
    expect(one.fleet.awayBecause).toMatch(/^OOM/);
    expect(await two.place('meanwhile', 1)).toBeNull();
    await admin.configSet('maxmemory', '0');
    admin.destroy();
    await areUp();
    expect(await two.place('before', 2)).toBe(0);
  });

  it.each(['stop', 'freeze'] as const)(
    'is noticed when it goes (%s), and everything is told again afterwards',
    async (way) => {
      const [one, two] = three();
      await one.place('before', 0);
      one.setInFlight(1, 4);
      if (way === 'stop') await redis.stop();
      else redis.freeze();
      await until(() => expect(members.some(({ fleet }) => fleet.isUp)).toBe(false));
      expect(one.fleet.awayBecause).not.toBeNull();
      expect(await one.place('meanwhile', 1)).toBeNull();
      expect(await two.place('meanwhile', 2)).toBeNull();
      one.setInFlight(1, 6);
      if (way === 'stop') await redis.start();
      else redis.thaw();
      await areUp();
      await until(() => expect(one.homeOf('meanwhile')).toBe(two.homeOf('meanwhile')));
      await until(() => expect(two.shared.elsewhere.inFlight(1)).toBe(6));
      expect(await two.place('before', 2)).toBe(0);
    },
  );

  it('places new conversations alike on all wardens', async () => {
    const [one, two] = three();
    await redis.stop();
    await until(() => expect([one, two].map(({ fleet }) => fleet.isUp)).toEqual([false, false]));
    const agreed = Array.from({ length: 50 }, (_, index) =>
      [one, two].map(({ shared }) => shared.agreement(`c${index}`, (replica) => replica !== index % 3)),
    );
    for (const [index, [ours, theirs]] of agreed.entries()) {
      expect(ours).toBe(theirs);
      expect(ours).not.toBe(index % 3);
    }
    expect(new Set(agreed.map(([ours]) => ours)).size).toBe(3);
  });
});

describe('settings', () => {
  it('keeps a change that is made while the answer to what the fleet had before is on its way', async () => {
    const [one, two] = three();
    const admin = await createClient({ url: redis.url }).connect();
    const hear = JSON.stringify({ kind: 'setting', from: 'another', model: 'm' });
    for (let round = 0; round < 60; round += 1) {
      const json = JSON.stringify({ round });
      await admin.publish(CHANGES_CHANNEL, hear);
      for (let turn = 0; turn < round % 6; turn += 1) await setImmediate();
      two.change(json);
      await until(() => expect(one.setting()).toBe(json));
      expect(two.setting()).toBe(json);
    }
    admin.destroy();
  });

  it('keeps a change against what the fleet had before and is heard while it is saved', async () => {
    const [one, two] = three();
    one.change('{"is":"old"}');
    await until(() => expect(two.setting()).toBe('{"is":"old"}'));
    const admin = await createClient({ url: redis.url }).connect();
    const hear = JSON.stringify({ kind: 'setting', from: 'another', model: 'm' });
    await two.changeSlowly('{"is":"new"}', async () => {
      for (let round = 0; round < 20; round += 1) {
        await admin.publish(CHANGES_CHANNEL, hear);
        await two.place(`c${round}`, 0);
      }
    });
    await until(() => expect(one.setting()).toBe('{"is":"new"}'));
    expect(two.setting()).toBe('{"is":"new"}');
    admin.destroy();
  });

  it('takes a change to all wardens, and to one that was away', async () => {
    const [one, two, other] = three();
    one.change('{"affinity":false}');
    await until(() => expect([two.setting(), other.setting()]).toEqual(['{"affinity":false}', '{"affinity":false}']));
    await redis.stop();
    await until(() => expect(two.fleet.isUp).toBe(false));
    two.change('{"affinity":true}');
    await redis.start();
    await until(() => expect([one.setting(), other.setting()]).toEqual(['{"affinity":true}', '{"affinity":true}']));
  });
});

const membersOf = ({ fleet }: Member): string[] =>
  fleet
    .members()
    .map(({ id }) => id)
    .sort();

describe('members', () => {
  it('knows all wardens and what the others keep in the caches', async () => {
    const [one] = three();
    await until(() => expect(membersOf(one)).toEqual(['one', 'three', 'two']));
  });

  it('knows the others though one of another version tells of itself in its own way', async () => {
    const [one, two] = three();
    const client = await createClient({ url: redis.url }).connect();
    const counts = { in_flight: 3, held: 0, live_sessions: {}, working_set_tokens: {} };
    const older = {
      id: 'older',
      url: 'http://older',
      version: '0',
      started_at: '2026-01-01T00:00:00Z',
      models: { m: counts },
    };
    await client.hSet(ABOUT_KEY, { newer: '{"id":"newer"}', broken: '{', older: JSON.stringify(older) });
    client.destroy();
    one.setInFlight(0, 1);
    await until(() => expect(two.shared.elsewhere.inFlight(0)).toBe(1));
    await until(() => expect(membersOf(one)).toEqual(['older', 'one', 'three', 'two']));
  });

  it('counts nothing of the others while it cannot hear them', async () => {
    const [one, , other] = three();
    one.setInFlight(0, 9);
    await until(() => expect(other.shared.elsewhere.inFlight(0)).toBe(9));
    await redis.stop();
    await until(() => expect(other.fleet.isUp).toBe(false));
    expect(other.shared.elsewhere.inFlight(0)).toBe(0);
  });
});

/** Give or take a second: it was told a moment ago. */
const aboutMs = (ms: number) => expect.closeTo(ms, -Math.log10(2 * 1000));

describe('what wardens tell for cache-fit', () => {
  const running: ToldConversation = {
    key: 'a',
    kind: 'agent',
    replica: 1,
    tokens: 4000,
    shared: 300,
    lastTotal: null,
    turns: 1,
    turnsHere: 1,
    isInFlight: true,
    heldForMs: null,
    computing: 3700,
    changedAgoMs: 500,
  };

  it('is each conversation that changed, with times that go by one clock', async () => {
    const [one, two, other] = three();
    one.told.push(running);
    two.told.push({ ...running, key: 'b', replica: null, isInFlight: false, heldForMs: 7000 });
    // Told anew with every beat: a late one is older than it was told.
    await until(() => {
      const [a, b] = other.shared.toldElsewhere().conversations.toSorted((x, y) => x.key.localeCompare(y.key));
      expect(a).toEqual({ ...running, changedAgoMs: aboutMs(500) });
      expect(b).toMatchObject({ key: 'b', replica: null, heldForMs: aboutMs(7000) });
    });
    expect(other.shared.toldElsewhere()).toMatchObject({ waitsMs: [], replicas: IDS.map(() => ({ tokens: 0 })) });
    await redis.stop();
    await until(() => expect(other.fleet.isUp).toBe(false));
    expect(other.shared.toldElsewhere()).toEqual(NOTHING_ELSEWHERE);
  });
});

describe('what a warden told that is not heard any more', () => {
  it('is no news, as long as its entry is there', async () => {
    const [one, two] = three();
    const client = await createClient({ url: redis.url }).connect();
    const conversation = { key: 'g', kind: 'agent', replica: IDS[0], tokens: 9, shared: 0, last_total: null, turns: 1 };
    const state = {
      turns_here: 1,
      displaced: false,
      in_flight: true,
      held_since_ms: null,
      computing: 0,
      changed_at_ms: 0,
    };
    const counts = { in_flight: 1, held: 0, live_sessions: {}, working_set_tokens: {}, held_since_ms: [1] };
    const about = (id: string, told_at_ms: number, conversations: readonly object[]) =>
      JSON.stringify({
        id,
        url: '',
        version: '0',
        started_at: '',
        told_at_ms,
        models: { m: { ...counts, conversations } },
      });
    const told = [{ ...conversation, ...state }];
    await client.hSet(ABOUT_KEY, {
      ghost: about('ghost', Date.now() - 4000, told),
      silent: about('silent', Date.now() - 4000, []),
    });
    await until(() => expect(two.fleet.members().map(({ id }) => id)).toContain('ghost'));
    expect(two.shared.toldElsewhere()).toMatchObject({ waitsMs: [], conversations: [] });
    await client.hSet(ABOUT_KEY, 'lively', about('lively', Date.now() + 60_000, told));
    await until(() => expect(one.shared.toldElsewhere().conversations).toMatchObject([{ key: 'g', replica: 0 }]));
    client.destroy();
  });
});

describe('a fleet too large to tell of every conversation', () => {
  beforeEach(async () => {
    await Promise.all(members.map(({ fleet }) => fleet.close()));
    members = ['one', 'two', 'three'].map((id) => createMember(redis, id, 2));
    await areUp();
    await until(() => expect(members.map(({ fleet }) => fleet.members().length)).toEqual([3, 3, 3]));
  });

  it('counts the tokens of each conversation once, whoever serves it', async () => {
    const [one, two, other] = three();
    await two.place('a', 0);
    await other.place('b', 0);
    two.served[0] = 1;
    other.served[0] = 1;
    await until(() => expect(one.shared.tokensElsewhere(0)).toBe(200));
    // A balancer deals the turns of both out to everyone: all is in each one's own working set then.
    for (const member of members) member.served[0] = 2;
    await until(() => expect(members.map(({ shared }) => shared.tokensElsewhere(0))).toEqual([0, 0, 0]));
  });

  it('hears how long turns are held at the others', async () => {
    const [one, two, other] = three();
    one.waitsMs.push(7000, 2000);
    two.waitsMs.push(5000);
    await until(() => {
      const sorted = other.shared.toldElsewhere().waitsMs.toSorted((a, b) => a - b);
      expect(sorted).toEqual([2000, 5000, 7000].map(aboutMs));
    });
    expect(other.shared.toldElsewhere().conversations).toEqual([]);
  });
});
