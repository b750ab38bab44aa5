import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { processStatus } from '#lib/contract/activity.ts';
import { fleetState } from '#lib/contract/fleet.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { agreeWithEngines } from './fleet-counts-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';
import { openStream } from './warden-process-for-tests.ts';

let redis: TestRedis;
let engines: SimulatedFleet[] = [];
let wardens: TestWarden[] = [];

beforeEach(async () => {
  redis = await startRedis();
  engines = await Promise.all(Array.from({ length: 4 }, () => startSimulatedFleet({ replicas: 2, speed: 20 })));
  wardens = await Promise.all(Array.from({ length: 3 }, () => startTestWarden({ fleets: engines, shared: redis.url })));
  await everyone(true);
}, 60_000);

afterEach(async () => {
  await Promise.all(wardens.map((warden) => warden.close()));
  await Promise.all(engines.map((engine) => engine.close()));
  await redis.close();
});

const fleetOf = async (warden: TestWarden) => fleetState.parse(await (await fetch(`${warden.url}/api/fleet`)).json());

const asked = () => wardens.map((warden) => ({ fleet: () => fleetOf(warden) }));

/** Waits until every warden says that the shared memory is up, or away. */
function everyone(up: boolean): Promise<void> {
  return eventually(async () => {
    for (const warden of wardens) expect((await fleetOf(warden)).shared_memory_up).toBe(up);
  }, 15_000);
}

type Turn = { readonly replica: string | null; readonly decision: string | null; readonly status: number };

async function turn(warden: TestWarden, session: string): Promise<Turn> {
  const messages = [{ role: 'user', content: `hello from ${session}` }];
  const answer = await warden.post(
    '/v1/chat/completions',
    { model: TEST_MODEL, max_tokens: 2, messages },
    { 'x-claude-code-session-id': session },
  );
  await answer.text();
  const { headers, status } = answer;
  return { replica: headers.get('x-warden-replica'), decision: headers.get('x-warden-decision'), status };
}

const anyOf = (all: readonly TestWarden[]): TestWarden => {
  const chosen = all[Math.floor(Math.random() * all.length)];
  if (chosen === undefined) throw new Error('no warden');
  return chosen;
};

/** Each conversation's next turn, at wardens taken at random; `width` at once. */
async function play(sessions: readonly string[], among: () => readonly TestWarden[], width = 16) {
  const left = [...sessions];
  const turns = new Map<string, Turn>();
  const worker = async (): Promise<void> => {
    for (let session = left.pop(); session !== undefined; session = left.pop()) {
      turns.set(session, await turn(anyOf(among()), session));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return turns;
}

const named = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('three wardens in front of eight replicas', () => {
  it('keep 200 conversations at home, whichever warden their turns go to', async () => {
    const sessions = named(200);
    const first = await play(sessions, () => wardens);
    const replicas = [...first.values()].map(({ replica }) => replica);
    for (let replica = 0; replica < 8; replica += 1) {
      expect(replicas.filter((one) => one === String(replica)).length).toBeGreaterThan(10);
    }
    for (let round = 0; round < 3; round += 1) {
      const turns = await play(sessions, () => wardens);
      for (const [session, { replica, decision }] of turns) {
        expect(decision).toBe('sticky');
        expect(replica).toBe(first.get(session)?.replica);
      }
    }
  }, 60_000);

  it('give 100 new conversations one home each, when 1,000 first turns come to all of them at once', async () => {
    // Otherwise most of them would be spilled, and a conversation that spills again and again moves.
    await wardens[0]?.patchRouting({ spill_threshold: 1000 });
    await eventually(async () => {
      for (const warden of wardens) expect((await warden.routing()).spill_threshold).toBe(1000);
    });
    const sessions = named(100);
    const all = sessions.flatMap((session) => Array.from({ length: 10 }, () => session));
    const homes = new Map(sessions.map((session) => [session, new Set<string | null>()]));
    await Promise.all(
      all.map(async (session) => {
        homes.get(session)?.add((await turn(anyOf(wardens), session)).replica);
      }),
    );
    for (const served of homes.values()) expect(served.size).toBe(1);
    const after = await Promise.all(wardens.map((warden) => play(sessions, () => [warden])));
    for (const session of sessions) expect(new Set(after.map((turns) => turns.get(session)?.replica)).size).toBe(1);
  }, 60_000);

  it('count in flight what all of them sent, as the engines do, while it stands still and at rest', async () => {
    const held = await Promise.all([...wardens, ...wardens, ...wardens, ...wardens].map(openStream));
    await agreeWithEngines(asked(), engines, 12);
    for (const stream of held.splice(0, 5)) stream.leave();
    await agreeWithEngines(asked(), engines, 7);
    await play(named(60), () => wardens, 24);
    await agreeWithEngines(asked(), engines, 7);
    for (const stream of held) stream.leave();
    await agreeWithEngines(asked(), engines, 0);
  }, 60_000);

  it('take over one another’s settings and drains', async () => {
    const [one, two, other] = wardens;
    if (one === undefined || two === undefined || other === undefined) throw new Error('three wardens were started');
    await one.patchRouting({ affinity: false, spill_threshold: 3 });
    await eventually(async () => {
      for (const warden of [two, other]) {
        expect(await warden.routing()).toMatchObject({ affinity: false, spill_threshold: 3 });
      }
    });
    const drain = JSON.stringify({ draining: true });
    const at = `${two.url}/api/models/${TEST_MODEL}/replicas/5`;
    await fetch(at, { method: 'PATCH', body: drain, headers: { 'content-type': 'application/json' } });
    await eventually(async () => {
      for (const warden of wardens) expect((await warden.routing()).replicas[5]?.draining).toBe(true);
    });
  });

  it('do not drain a replica because it leaves the configuration of one of them', async () => {
    const [one, two, other] = wardens;
    if (one === undefined || two === undefined || other === undefined) throw new Error('three wardens were started');
    const leaving = new AbortController();
    const long = { model: TEST_MODEL, prompt: 'go', max_tokens: 30_000, ignore_eos: true, stream: true };
    const streams = Array.from({ length: 8 }, () => one.post('/v1/completions', long, {}, leaving.signal));
    await Promise.all(streams);
    const path = join(one.dataDir, 'warden.yaml');
    const config = z.object({ models: z.array(z.looseObject({ replicas: z.array(z.unknown()) })) });
    const { models, ...rest } = config.parse(parse(readFileSync(path, 'utf8')));
    const kept = models.map((model) => ({ ...model, replicas: model.replicas.slice(0, 3) }));
    writeFileSync(path, stringify({ ...rest, models: kept }));
    process.kill(process.pid, 'SIGHUP');
    const drainedAt = async (warden: TestWarden) =>
      (await warden.routing()).replicas.filter(({ draining }) => draining).map(({ replica }) => replica);
    await eventually(async () => expect(await drainedAt(one)).toEqual([6, 7]));
    await one.patchRouting({ spill_threshold: 5 });
    await eventually(async () => {
      for (const warden of [two, other]) expect((await warden.routing()).spill_threshold).toBe(5);
    });
    expect(await drainedAt(one)).toEqual([6, 7]);
    for (const warden of [two, other]) expect(await drainedAt(warden)).toEqual([]);
    leaving.abort();
  });

  it('show one another in the console', async () => {
    await eventually(async () => {
      for (const warden of wardens) {
        const { members } = await fleetOf(warden);
        expect(members.map(({ url }) => url).sort()).toEqual(wardens.map(({ url }) => url).sort());
        expect(members.filter(({ self }) => self).map(({ url }) => url)).toEqual([warden.url]);
      }
    }, 10_000);
  });
});

describe('an engine that restarts under three wardens', () => {
  it('leaves each conversation one home for all of them', async () => {
    const sessions = named(60);
    await play(sessions, () => wardens);
    for (const warden of wardens) await play(sessions, () => [warden]);
    const [engine] = engines;
    await engine?.restart();
    await eventually(async () => {
      for (const warden of wardens) expect((await warden.routing()).engine.restarted_at).not.toBeNull();
    }, 15_000);
    const after = await Promise.all(wardens.map((warden) => play(sessions, () => [warden], 4)));
    for (const session of sessions) {
      const settled = await Promise.all(wardens.map(async (warden) => (await turn(warden, session)).replica));
      expect(new Set(settled).size).toBe(1);
      expect(after.map((turns) => turns.get(session)?.replica)).toContain(settled[0]);
    }
  }, 60_000);
});

describe('without the shared memory', () => {
  it('go on with what they know, agree on new conversations by their hash, and are one again afterwards', async () => {
    const known = named(100);
    const first = await play(known, () => wardens);
    // Every warden has met every conversation, as with a balancer in front that deals them out.
    for (const warden of wardens) await play(known, () => [warden]);
    await redis.stop();
    await everyone(false);
    const [one] = wardens;
    const { warnings } = processStatus.parse(await (await fetch(`${one?.url}/api/status`)).json());
    expect(warnings.map(({ code }) => code)).toContain('shared_memory_away');

    const meanwhile = await play(known, () => wardens);
    for (const [session, { replica, decision }] of meanwhile) {
      expect(decision).toBe('sticky');
      expect(replica).toBe(first.get(session)?.replica);
    }
    const fresh = named(100);
    const placed = await Promise.all(wardens.map((warden) => play(fresh, () => [warden])));
    for (const session of fresh) expect(new Set(placed.map((turns) => turns.get(session)?.replica)).size).toBe(1);

    await redis.start();
    await everyone(true);
    const after = await play([...known, ...fresh], () => wardens);
    for (const [session, { replica, decision }] of after) {
      expect(decision).toBe('sticky');
      expect(replica).toBe((first.get(session) ?? placed[0]?.get(session))?.replica);
    }
  }, 120_000);

  it('start and serve though it was never there', async () => {
    await redis.stop();
    const alone = await startTestWarden({ fleets: engines, shared: redis.url });
    wardens.push(alone);
    const session = randomUUID();
    expect(await turn(alone, session)).toMatchObject({ status: 200, decision: 'placed' });
    await redis.start();
    await everyone(true);
    const all = await Promise.all(wardens.map((warden) => turn(warden, session)));
    expect(new Set(all.map(({ replica }) => replica)).size).toBe(1);
  }, 60_000);
});
