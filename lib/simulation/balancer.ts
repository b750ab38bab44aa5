import type { ReplicaGauges } from './replica.ts';

/**
 * How vLLM's API servers place a request that carries no rank. `round-robin`: dense models up to 0.26, where the
 * servers never learn the load. `load-aware`: from 0.27.
 */
export type BalancerKind = 'round-robin' | 'load-aware';

/** One API-server process's view of the ranks. */
export type Balancer = {
  choose(now: number): number;
  /** A request went to `rank`, chosen here or pinned. */
  dispatched(rank: number): void;
  /** It has ended. */
  ended(rank: number): void;
};

export type BalancerSetup = {
  readonly kind: BalancerKind;
  readonly ranks: number;
  /** Which of how many API-server processes this is. */
  readonly process: number;
  readonly processes: number;
  /** The ranks' gauges as the coordinator would publish them now. */
  readonly loads: () => readonly ReplicaGauges[];
};

/** The coordinator publishes a change at most this often. */
const SNAPSHOT_MS = 100;

/** The balancer of one API-server process. */
export function createBalancer(setup: BalancerSetup): Balancer {
  return setup.kind === 'round-robin' ? createRoundRobin(setup) : createLoadAware(setup);
}

function firstRank(setup: BalancerSetup): number {
  return Math.floor((setup.ranks * setup.process) / setup.processes) % setup.ranks;
}

/** With every load read as zero, vLLM's rule (least loaded, own dispatches counted, ties rotated) is this. */
function createRoundRobin(setup: BalancerSetup): Balancer {
  let next = firstRank(setup);
  return {
    choose: () => {
      const rank = next;
      next = (next + 1) % setup.ranks;
      return rank;
    },
    dispatched: () => {},
    ended: () => {},
  };
}

function createLoadAware(setup: BalancerSetup): Balancer {
  const { ranks, processes } = setup;
  const inFlight = new Array<number>(ranks).fill(0);
  let snapshot: readonly ReplicaGauges[] = [];
  let takenAt = Number.NEGATIVE_INFINITY;
  /** Own dispatches that the snapshot cannot know yet, counted as if every process did the same. */
  let bumps = new Array<number>(ranks).fill(0);
  let scanStart = firstRank(setup);

  const score = (rank: number) => {
    const load = snapshot[rank] ?? { running: 0, waiting: 0, kvUsage: 0 };
    const waiting = load.waiting + (bumps[rank] ?? 0);
    const pressure = load.waiting > 0 ? 6 * waiting * Math.max(0, load.kvUsage - 0.5) : 0;
    return Math.max(processes * (inFlight[rank] ?? 0), waiting + load.running) + pressure;
  };

  return {
    choose: (now) => {
      if (now - takenAt >= SNAPSHOT_MS) {
        snapshot = setup.loads();
        bumps = new Array<number>(ranks).fill(0);
        takenAt = now;
      }
      let best = scanStart;
      for (let step = 1; step < ranks; step++) {
        const rank = (scanStart + step) % ranks;
        if (score(rank) < score(best)) best = rank;
      }
      scanStart = (scanStart + 1) % ranks;
      bumps[best] = (bumps[best] ?? 0) + processes;
      return best;
    },
    dispatched: (rank) => {
      inFlight[rank] = (inFlight[rank] ?? 0) + 1;
    },
    ended: (rank) => {
      inFlight[rank] = (inFlight[rank] ?? 0) - 1;
    },
  };
}
