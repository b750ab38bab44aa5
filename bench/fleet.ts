// `npm run experiment:fleet`: what one turn costs a fleet, in virtual time, as wardens, replicas and conversations grow.
// With `--valkey redis://…` also how much memory 100,000 conversations take in that server.
import { parseArgs } from 'node:util';
import pino from 'pino';
import { createRouter, type Router } from '#lib/routing/router.ts';
import type { FleetView, Lease, RoutedRequest, SessionKey } from '#lib/routing/types.ts';
import { createRandom } from '#lib/simulation/random.ts';
import { NO_USAGE } from '#lib/usage/usage.ts';
import { SharedModel } from '#server/fleet/shared-model.ts';
import { placeShared } from '#server/router/place-shared.ts';
import type { Placement } from '#server/router/placement.ts';
import { measureFootprint } from './fleet-footprint.ts';
import { FleetMemory } from './fleet-memory.ts';

const POLICY = { affinity: true, spillThreshold: 8 };
/** A turn in the middle of a conversation: more than a one-shot prompt. */
const BODY_BYTES = 50_000;

type Size = { readonly wardens: number; readonly replicas: number; readonly conversations: number };
type Row = Size & {
  readonly turns: number;
  readonly sticky_percent: number;
  readonly cpu_us_per_turn: number;
  readonly memory_commands_per_turn: number;
  readonly memory_waits_per_turn: number;
  /** Conversations placed by this on the fullest and on the emptiest replica, and on an average one. */
  readonly homes_most: number;
  readonly homes_least: number;
  readonly homes_mean: number;
};

type Surroundings = {
  readonly ids: readonly string[];
  readonly memory: FleetMemory;
  readonly now: () => number;
  readonly firstScanned: number;
};

/** One warden: the router and the fleet's side of it as the server has them, its clock given. */
class VirtualWarden {
  readonly router: Router;
  readonly shared: SharedModel;
  readonly #view: FleetView;
  readonly #now: () => number;
  waits = 0;

  constructor(id: string, { ids, memory, now, firstScanned }: Surroundings) {
    this.#now = now;
    this.router = createRouter({ replicaCount: ids.length, firstScanned });
    const numbers = new Map(ids.map((name, replica) => [name, replica]));
    const { router } = this;
    this.shared = new SharedModel({
      model: {
        name: 'm',
        replicaIds: () => ids,
        replicaOf: (name) => numbers.get(name) ?? null,
        inFlight: (replica) => router.inFlight(replica),
        waitsMs: () => [],
        told: () => [],
        liveSessions: (replica) => router.liveSessions(replica, now()),
        served: () => [],
        homes: () => router.homes(now()),
        adopt: (key, replica) => router.adopt(key, replica, now()),
        forget: (keyHash) => router.forget(keyHash),
        movedByHand: () => {},
      },
      warden: id,
      connection: () => memory,
      tell: () => {},
      isFleetSmall: () => false,
      isAlone: () => false,
      now,
      later: queueMicrotask,
      log: pino({ level: 'silent' }),
    });
    const replica = { up: true, draining: false, kvUsage: 0.5, running: 1, waiting: 0 };
    this.#view = { replicas: ids.map(() => replica), engineBalances: false, elsewhere: this.shared.elsewhere };
  }

  async turn(request: RoutedRequest): Promise<Placement> {
    if (request.key !== null && !this.shared.isConfirmed(request.key.hash)) this.waits += 1;
    const router = { adopt: (key: SessionKey, replica: number) => this.router.adopt(key, replica, this.#now()) };
    const placing = { shared: this.shared, router, policy: POLICY, request };
    const placement = await placeShared({ ...placing, place: () => this.#place(request), isGone: () => false });
    if (placement === null) throw new Error('no replica is up');
    return placement;
  }

  #place(request: RoutedRequest): Placement | null {
    const lease = this.router.acquire(request, this.#view, POLICY, this.#now());
    if (lease === null) return null;
    this.#changed(lease);
    return placementOf(lease, {
      release: () => lease.release(this.#now()),
      withdraw: () => this.router.withdraw(lease, this.#now()),
      changed: () => this.#changed(lease),
    });
  }

  #changed({ decision }: Lease): void {
    if (decision.replica !== null) this.shared.loadChanged(decision.replica);
  }
}

type Ends = { readonly release: () => void; readonly withdraw: () => void; readonly changed: () => void };

function placementOf({ decision }: Lease, { release, withdraw, changed }: Ends): Placement {
  const nothing = () => {};
  return {
    decision,
    replica: decision.replica,
    target: { url: '', rank: null },
    answered: nothing,
    firstByte: nothing,
    answering: nothing,
    broke: () => false,
    unreachable: nothing,
    failOver: () => null,
    release: () => {
      release();
      changed();
    },
    withdraw: () => {
      withdraw();
      changed();
    },
  };
}

/** `turns` turns of conversations taken at random, each at a warden taken at random; half a request per replica runs. */
async function measure({ wardens, replicas, conversations }: Size, turns: number): Promise<Row> {
  let clock = 0;
  const now = () => clock;
  const random = createRandom(1);
  const below = (count: number) => Math.floor(random() * count);
  const memory = new FleetMemory();
  const ids = Array.from({ length: replicas }, (_, replica) => `http://host-${replica >> 3}:8000#${replica % 8}`);
  const all = Array.from(
    { length: wardens },
    (_, index) => new VirtualWarden(`w${index}`, { ids, memory, now, firstScanned: below(replicas) }),
  );
  const running: Placement[] = [];
  const homes = new Array<number>(replicas).fill(0);
  let sticky = 0;
  let continuing = 0;

  const play = async (conversation: number): Promise<void> => {
    clock += 1;
    const warden = all[below(wardens)];
    if (warden === undefined) throw new Error('there is no warden');
    const key = { hash: conversation.toString(16).padStart(32, '0'), source: 'x-session-id' };
    const placement = await warden.turn({
      key,
      role: 'turn',
      sideReason: null,
      pin: null,
      unpinnable: null,
      bodyBytes: BODY_BYTES,
    });
    const { kind, replica } = placement.decision;
    if (kind === 'placed' && replica !== null) homes[replica] = (homes[replica] ?? 0) + 1;
    else {
      continuing += 1;
      if (kind === 'sticky') sticky += 1;
    }
    running.push(placement);
    if (running.length > replicas / 2) running.splice(below(running.length), 1)[0]?.release(true, NO_USAGE);
  };

  for (let conversation = 0; conversation < conversations; conversation += 1) await play(conversation);
  await settle();
  [memory.commands, sticky, continuing] = [0, 0, 0];
  for (const warden of all) warden.waits = 0;
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) await play(below(conversations));
  await settle();
  const { user, system } = process.cpuUsage(before);
  for (const { shared } of all) shared.close();
  return {
    wardens,
    replicas,
    conversations,
    turns,
    sticky_percent: (100 * sticky) / continuing,
    cpu_us_per_turn: (user + system) / turns,
    memory_commands_per_turn: memory.commands / turns,
    memory_waits_per_turn: all.reduce((sum, { waits }) => sum + waits, 0) / turns,
    homes_most: Math.max(...homes),
    homes_least: Math.min(...homes),
    homes_mean: conversations / replicas,
  };
}

/** Lets the reports that are written behind be written. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

const SIZES: readonly Size[] = [
  { wardens: 3, replicas: 8, conversations: 1_000 },
  { wardens: 10, replicas: 100, conversations: 10_000 },
  { wardens: 10, replicas: 1_000, conversations: 100_000 },
  { wardens: 100, replicas: 1_000, conversations: 100_000 },
  { wardens: 100, replicas: 10_000, conversations: 100_000 },
  { wardens: 100, replicas: 10_000, conversations: 1_000_000 },
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '50000' },
    valkey: { type: 'string' },
  },
});
const print = (row: object): void => {
  if (values.json) return;
  const cells = Object.entries(row).map(([name, value]) => `${name} ${Number(Number(value).toFixed(2))}`);
  console.log(cells.join('  '));
};
const rows: Row[] = [];
for (const size of SIZES) {
  const row = await measure(size, Number(values.turns));
  rows.push(row);
  print(row);
}
const footprint = values.valkey === undefined ? null : await measureFootprint(values.valkey, 100_000);
if (footprint !== null) print(footprint);
if (values.json) console.log(JSON.stringify({ rows, footprint }));
