import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { type Admission, type AdmissionOptions, createAdmission } from '#lib/cache-fit/admission.ts';
import { modelWithDefaults } from '#lib/config/schema.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import { NO_USAGE } from '#lib/usage/usage.ts';
import { AdmissionGate, type AdmissionGateOptions } from './admission-gate.ts';
import type { AdmissionPass } from './admission-pass.ts';
import { effectivePolicy, NO_SETTING } from './policy.ts';

const CAPACITY = 5000;
const config = modelWithDefaults({ name: 'm', replicas: [{ url: 'http://engine' }], cache_fit: true });

function gateOf(options: Partial<AdmissionGateOptions> = {}) {
  const clock = { now: 0 };
  const logged: unknown[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const given = {
    model: 'm',
    isOpen: () => true,
    homeOf: () => null,
    maxHoldMs: () => 120_000,
    now: () => clock.now,
    toWall: (time: number) => time,
    log,
    ...options,
  };
  const gate = new AdmissionGate(given);
  gate.configure(effectivePolicy(config, NO_SETTING, null));
  gate.setCapacities([CAPACITY]);
  return { gate, clock, logged };
}

function request(hash: string, given: Partial<RoutedRequest> = {}): RoutedRequest {
  const key = { hash, source: 'x-session-id' };
  return { key, role: 'turn', sideReason: null, pin: null, unpinnable: null, bodyBytes: 6400, ...given };
}

const stays = new AbortController().signal;
const turnOf = (hash: string, more = {}) => ({
  request: request(hash),
  client: null,
  heldMs: 0,
  signal: stays,
  ...more,
});

/** Lets a conversation in, which then has a turn under way. */
async function admit(gate: AdmissionGate, hash: string): Promise<AdmissionPass> {
  const pass = await gate.enter(turnOf(hash));
  if (pass === null) throw new Error('nobody left');
  pass.placed(pass.replica ?? 0, false);
  return pass;
}

/** An admission of which some calls throw. */
function failing(admission: Admission, fails: (call: string | symbol) => boolean): Admission {
  return new Proxy(admission, {
    get(target, name) {
      if (fails(name)) throw new Error('a fault of ours');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const usage = (promptTokens: number, cachedTokens: number) => ({ promptTokens, cachedTokens, completionTokens: 10 });

describe('an admission that fails', () => {
  it('costs no request: it is logged, all go by the rules of the router, and it begins anew', async () => {
    let isBroken = false;
    const create = (options: AdmissionOptions) =>
      failing(createAdmission(options), (call) => isBroken && call === 'request');
    const { gate, logged } = gateOf({ create });
    const passes = [await admit(gate, 'a'), await admit(gate, 'b'), await admit(gate, 'c')];
    const held = gate.enter(turnOf('d'));
    expect(gate.heldTurns()).toHaveLength(1);

    isBroken = true;
    expect(await gate.enter(turnOf('e'))).toMatchObject({ replica: null });
    expect(await held).toMatchObject({ replica: null, gaveWay: false });
    expect(gate.heldTurns()).toEqual([]);
    expect(logged).toMatchObject([{ model: 'm', err: { message: 'a fault of ours' } }]);

    // What the one before it had let in is unknown to the new one, and does it no harm.
    isBroken = false;
    for (const pass of passes) pass.finished(usage(1600, 0));
    expect(gate.view()).toMatchObject({ held: 0, live: { conversations: 0 } });
    await admit(gate, 'f');
    expect(gate.view()).toMatchObject({ live: { conversations: 1 } });
  });
});

describe('an admission that fails when it is looked at', () => {
  it.each(['view', 'place'])('costs no request either (%s)', async (broken) => {
    let isBroken = false;
    const create = (options: AdmissionOptions) => {
      const isFirst = !isBroken;
      return failing(createAdmission(options), (call) => isFirst && isBroken && call === broken);
    };
    const { gate, logged } = gateOf({ create });
    for (const hash of ['a', 'b', 'c']) await admit(gate, hash);
    const held = gate.enter(turnOf('d'));
    isBroken = true;
    if (broken === 'view') expect(gate.view()).toMatchObject({ held: 0 });
    else expect(gate.heldTurns()).toMatchObject([{ keyHash: 'd', expectedWaitMs: null }]);
    expect(await held).toMatchObject({ replica: null });
    expect(logged).toHaveLength(1);
  });
});

describe('a turn that comes to the gate again', () => {
  it('is held for what is left of the longest hold, and then goes', async () => {
    const { gate } = gateOf({ maxHoldMs: () => 1000 });
    for (const hash of ['a', 'b', 'c']) await admit(gate, hash);
    const again = gate.enter(turnOf('d', { heldMs: 990 }));
    expect(gate.heldTurns()).toHaveLength(1);
    expect(await again).toMatchObject({ replica: null });
    expect(gate.heldTurns()).toEqual([]);
  });
});

describe('a conversation that had its share', () => {
  it('gives up its place to the first in line, and its pass says so', async () => {
    const { gate, clock } = gateOf();
    // Their prompts are read: in a crowd cold ones go to a replica one after the other.
    for (const hash of ['a', 'b']) (await admit(gate, hash)).answering();
    const long = async (isFirst: boolean) => {
      const pass = await admit(gate, 'c');
      clock.now += 10_000;
      pass.finished(usage(1600, isFirst ? 0 : 1590));
      return pass;
    };
    for (let turn = 0; turn < 3; turn += 1) expect((await long(turn === 0)).gaveWay).toBe(false);
    const fourth = await admit(gate, 'c');
    const waiting = gate.enter(turnOf('d'));
    clock.now += 100_000;
    fourth.finished(usage(1600, 1590));
    expect(gate.heldTurns()).toMatchObject([{ keyHash: 'd' }]);

    const displaced = gate.enter(turnOf('c'));
    const admitted = await waiting;
    expect(admitted).toMatchObject({ replica: 0, gaveWay: false, queuedMs: 100_000 });
    expect(gate.view()).toMatchObject({ displacedTotal: 1, heldTotal: 2 });
    admitted?.placed(0, false);
    gate.close();
    expect(await displaced).toMatchObject({ gaveWay: true });
  });
});

describe('a conversation that a person moved while its turn was held', () => {
  it('goes where the person sent it, and not to the place that became free', async () => {
    const { gate } = gateOf();
    const passes = [await admit(gate, 'a'), await admit(gate, 'b'), await admit(gate, 'c')];
    const [moved, stayed] = [gate.enter(turnOf('d')), gate.enter(turnOf('e'))];
    gate.movedByHand('d');
    for (const pass of passes) pass.finished(NO_USAGE);
    gate.forgetReplica(0);
    const first = await moved;
    expect(first).toMatchObject({ replica: null });
    first?.placed(0, false);
    first?.answering();
    expect(await stayed).toMatchObject({ replica: 0 });
  });
});

describe('a gate that is closed', () => {
  it('lets all go and holds nobody any more', async () => {
    const { gate } = gateOf();
    for (const hash of ['a', 'b', 'c']) await admit(gate, hash);
    const held = gate.enter(turnOf('d'));
    gate.close();
    expect(await held).toMatchObject({ replica: null });
    gate.configure(effectivePolicy(config, NO_SETTING, null));
    expect(await gate.enter(turnOf('e'))).toMatchObject({ replica: null, queuedMs: null });
  });
});

describe('what a gate counts', () => {
  it('a turn whose place was taken back as over, once', async () => {
    const { gate, clock } = gateOf();
    const isInFlight = () => gate.tell().map(({ key, isInFlight: is }) => [key, is]);
    const [first, second] = [await admit(gate, 'a'), await admit(gate, 'a')];
    const other = await admit(gate, 'b');
    expect(isInFlight()).toEqual([
      ['a', true],
      ['b', true],
    ]);
    // The proxy says so of each attempt, and once more when it gives up.
    for (const again of [first, first, other, other]) again.finished(NO_USAGE);
    expect(isInFlight()).toEqual([
      ['a', true],
      ['b', false],
    ]);
    second.finished(NO_USAGE);
    expect(isInFlight()).toEqual([
      ['a', false],
      ['b', false],
    ]);
    // Nothing is left of them in the way of others, once their silence is longer than a place is kept for.
    clock.now += 600_000;
    for (const hash of ['c', 'd', 'e']) expect(await admit(gate, hash)).toMatchObject({ queuedMs: 0 });
  });

  it('nothing as shared that a conversation from before a restart of the router finds of itself', async () => {
    const { gate } = gateOf();
    const resumed = await gate.enter(turnOf('a'));
    resumed?.placed(0, true);
    resumed?.finished(usage(1600, 1590));
    expect(gate.view().live).toMatchObject({ conversations: 1, sharedTokens: 0 });
    // Its place is taken twice where the fleet knows of a home that was lost here.
    const asked = await gate.enter(turnOf('c'));
    asked?.placed(0, false);
    asked?.placed(0, true);
    asked?.finished(usage(1600, 1590));
    expect(gate.view().live).toMatchObject({ conversations: 2, sharedTokens: 0 });
    const fresh = await admit(gate, 'b');
    fresh.finished(usage(1600, 700));
    expect(gate.view().live).toMatchObject({ conversations: 3, sharedTokens: 700 });
  });

  it('conversations that pause alike by their client, whatever its version, and subagents apart', async () => {
    const { gate } = gateOf();
    const source = 'x-claude-code-agent-id';
    const entering = [
      turnOf('a', { client: 'Claude Code 2.1.100' }),
      turnOf('b', { client: 'Claude Code 2.1.332' }),
      turnOf('c', { client: 'Claude Code 2.1.332', request: request('c', { key: { hash: 'c', source } }) }),
    ];
    for (const turn of entering) (await gate.enter(turn))?.placed(0, false);
    expect([...gate.view().keepMs.keys()]).toEqual(['Claude Code', 'Claude Code subagent']);
  });
});
