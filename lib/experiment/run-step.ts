import type { FleetView } from '#lib/routing/types.ts';
import { createFleet, type Fleet } from '#lib/simulation/fleet.ts';
import { createRandom, type Random } from '#lib/simulation/random.ts';
import { createVirtualTime, type VirtualTime } from '#lib/simulation/virtual-time.ts';
import type { Box } from './box.ts';
import { createPolicy, engineBalancer } from './create-policy.ts';
import { hashText } from './hash-text.ts';
import type { StepMeasurement } from './measurement.ts';
import type { Policy, PolicyName } from './policy.ts';
import { runSession, type SessionHost } from './run-session.ts';
import type { Workload } from './session-script.ts';
import { createRecorder } from './step-recorder.ts';

/** `closed`: `sessions` clients, each with a new conversation after its last. `open`: `sessions` started an hour. */
export type Arrivals = 'closed' | 'open';

export type StepSetup = {
  readonly box: Box;
  readonly policy: PolicyName;
  readonly workload: Workload;
  readonly arrivals: Arrivals;
  readonly sessions: number;
  /** The part that is measured, after `warmupSeconds` that are not. */
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly seed: number;
};

/** As often as the live router polls an engine. */
const POLL_MS = 2000;
/** Clients do not all start at once. */
const START_SPACING_MS = 50;
/** English text and code, about. */
const BYTES_PER_TOKEN = 4;

type Recorder = ReturnType<typeof createRecorder>;
type World = {
  readonly clock: VirtualTime;
  readonly fleet: Fleet;
  readonly policy: Policy;
  readonly recorder: Recorder;
};

/** One step in virtual time, from an empty engine and an empty router: the same setup gives the same measurement. */
export function runStep(setup: StepSetup): StepMeasurement {
  const { box, seed } = setup;
  const from = setup.warmupSeconds * 1000;
  const until = from + setup.seconds * 1000;
  const clock = createVirtualTime();
  const recorder = createRecorder({ from, until });
  const fleet = createFleet({
    profile: box.profile,
    replicas: box.replicas,
    balancer: engineBalancer(setup.policy),
    apiServers: box.apiServers,
    clock,
    seed,
  });
  const readings = pollFleet(fleet, clock, recorder);
  const policy = createPolicy(setup.policy, {
    replicaCount: box.replicas,
    kvCapacityTokens: (box.profile.numBlocks - 1) * box.profile.blockSize,
    spillThreshold: box.spillThreshold,
    clock,
    readings,
  });
  startSessions(setup, { clock, fleet, policy, recorder });

  clock.runUntil(from);
  const before = prefixCounters(fleet);
  clock.runUntil(until);
  const after = prefixCounters(fleet);
  return {
    policy: setup.policy,
    sessions: setup.sessions,
    seconds: setup.seconds,
    prefix: { queries: after.queries - before.queries, hits: after.hits - before.hits },
    ...recorder.measurement(),
  };
}

/** Gauges as the live router has them: as of the last poll. */
function pollFleet(fleet: Fleet, clock: VirtualTime, recorder: Recorder): () => FleetView {
  let view: FleetView = { replicas: [], engineBalances: true };
  const poll = (at: number) => {
    const gauges = fleet.replicas.map((replica) => replica.gauges());
    view = { replicas: gauges.map((gauge) => ({ up: true, draining: false, ...gauge })), engineBalances: true };
    if (at > 0) recorder.poll(gauges.filter(({ running }) => running > 0).length, at);
    clock.at(at + POLL_MS, poll);
  };
  poll(0);
  return () => view;
}

function startSessions(setup: StepSetup, world: World): void {
  const { workload, sessions, seed } = setup;
  const { clock, recorder } = world;
  const host: SessionHost = { clock, send: createClient(setup, world) };
  let started = 0;
  const start = (ended: () => void) => {
    const startedAt = clock.now();
    runSession(workload.session(started++), host, () => {
      recorder.session(startedAt, clock.now());
      ended();
    });
  };
  if (setup.arrivals === 'closed') {
    const restart = () => start(restart);
    for (let client = 0; client < sessions; client++) clock.at(client * START_SPACING_MS, restart);
    return;
  }
  const random = createRandom(hashText(`${seed}:arrivals`));
  const arrive = () => {
    start(() => {});
    clock.at(clock.now() + exponentialMs(sessions, random), arrive);
  };
  clock.at(exponentialMs(sessions, random), arrive);
}

function exponentialMs(perHour: number, random: Random): number {
  return (-Math.log(1 - random()) * 3_600_000) / perHour;
}

/** Sends a turn over the network to the policy, and from there to the replica that it names. */
function createClient({ box, seed }: StepSetup, { clock, fleet, policy, recorder }: World): SessionHost['send'] {
  const connections = createRandom(hashText(`${seed}:connections`));
  const oneWayMs = box.roundTripMs / 2;
  return ({ key, turn, prompt, output }, answered) => {
    const record = recorder.turn(turn, prompt.length, clock.now());
    const request = { key, bodyBytes: prompt.length * BYTES_PER_TOKEN };
    const arrive = () => {
      const askedAt = clock.now();
      policy.submit(request, ({ replica, stayed }) => {
        record.stayed = stayed;
        record.heldMs = clock.now() - askedAt;
        fleet.submit({
          prompt,
          output,
          finish: 'length',
          pin: replica,
          apiServer: Math.floor(connections() * box.apiServers),
          onToken: ({ index, at, finish, cachedTokens }) => {
            recorder.token(record, at);
            if (index === 0) {
              record.firstByteAt = at + oneWayMs;
              record.cachedTokens = cachedTokens;
              policy.answering?.(request);
            }
            if (finish === null) return;
            record.endedAt = at + oneWayMs;
            policy.ended(request, { promptTokens: prompt.length, outputTokens: output.length, cachedTokens });
            clock.at(at + oneWayMs, answered);
          },
        });
      });
    };
    clock.at(clock.now() + oneWayMs, arrive);
  };
}

function prefixCounters({ replicas }: Fleet): { readonly queries: number; readonly hits: number } {
  const sum = (pick: (replica: Fleet['replicas'][number]) => number) =>
    replicas.reduce((total, replica) => total + pick(replica), 0);
  return {
    queries: sum((replica) => replica.counters.prefixQueries),
    hits: sum((replica) => replica.counters.prefixHits),
  };
}
