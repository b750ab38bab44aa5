import type { FleetView } from './types.ts';

/** The router's own counts, as far as choosing a replica needs them. `lastChosen` is where the last scan ended. */
export type LoadState = {
  readonly replicaCount: number;
  readonly lastChosen: number;
  inFlight(replica: number): number;
  liveSessions(replica: number): number;
};

/** `unreachable`: replicas that this very request has already failed to reach, whatever the fleet view says of them. */
export type Situation = {
  readonly fleet: FleetView;
  readonly state: LoadState;
  readonly unreachable: readonly number[];
};

type ReplicaTest = (replica: number) => boolean;

/** A full KV cache weighs as much as this many requests in flight. */
const KV_WEIGHT = 8;

export function isUp({ fleet, state, unreachable }: Situation, replica: number): boolean {
  return replica < state.replicaCount && fleet.replicas[replica]?.up === true && !unreachable.includes(replica);
}

export function someReplica({ state }: Situation, test: ReplicaTest): boolean {
  for (let replica = 0; replica < state.replicaCount; replica += 1) if (test(replica)) return true;
  return false;
}

/** Up and not draining. */
export function isOpen(situation: Situation, replica: number): boolean {
  return isUp(situation, replica) && situation.fleet.replicas[replica]?.draining === false;
}

/** The replicas that may get new work: the open ones; where none is open, the draining ones rather than nothing. */
export function takingNewWork(situation: Situation): ReplicaTest {
  const open: ReplicaTest = (replica) => isOpen(situation, replica);
  return someReplica(situation, open) ? open : (replica) => isUp(situation, replica);
}

/**
 * The replica of lowest score (requests in flight + 8 × KV usage + live sessions) among the eligible ones; ties go to
 * the fewest live sessions. Null where none is eligible.
 */
export function leastLoaded(situation: Situation, eligible: ReplicaTest): number | null {
  const { state } = situation;
  const candidates = candidateReplicas(situation, eligible);
  const weighsKv = isKvUsageKnown(situation, candidates);
  const milliScore = (replica: number): number => {
    const kv = weighsKv ? currentKvUsage(situation, replica) : 0;
    // Compared in thousandths: a difference in the noise of a gauge must not outrank the tie-breaks.
    return Math.round((state.inFlight(replica) + KV_WEIGHT * kv + state.liveSessions(replica)) * 1000);
  };
  return lowest(candidates, milliScore, (replica) => state.liveSessions(replica));
}

/**
 * The reading may be 2 s old, and covers running requests only: where fewer are in flight by now than ran then, the
 * share of those that have ended is taken off. Otherwise a replica that has just become free looks as full as before.
 */
function currentKvUsage({ fleet, state }: Situation, replica: number): number {
  const view = fleet.replicas[replica];
  const running = view?.running ?? 0;
  const inFlight = state.inFlight(replica);
  return (view?.kvUsage ?? 0) * (inFlight < running ? inFlight / running : 1);
}

/**
 * The replica that vLLM's older balancer would take: lowest 4 × waiting + running. The readings are up to
 * one poll old, so running is at least what we have in flight ourselves and know not to be waiting; an unknown reading
 * leaves our own count.
 */
export function engineRuleChoice(situation: Situation): number | null {
  const { fleet, state } = situation;
  const cost = (replica: number): number => {
    const view = fleet.replicas[replica];
    const waiting = view?.waiting ?? 0;
    return 4 * waiting + Math.max(view?.running ?? 0, state.inFlight(replica) - waiting);
  };
  return lowest(candidateReplicas(situation, takingNewWork(situation)), cost, () => 0);
}

/** The KV term counts for all candidates or for none: one without a reading would look empty beside the others. */
function isKvUsageKnown({ fleet }: Situation, candidates: readonly number[]): boolean {
  return candidates.every((replica) => fleet.replicas[replica]?.kvUsage !== null);
}

/**
 * Up to here every replica is looked at. Of more, the best of a few is taken: the choice of several at random is nearly
 * as good as that of the best of all (Mitzenmacher, The Power of Two Choices, 2001), and costs the same for any number.
 */
const LARGEST_SCANNED = 128;
const SAMPLED = 16;
/** A prime larger than any step a person would take, so that the sample is spread over the whole fleet. */
const SAMPLE_STRIDE = 7919;

/**
 * The eligible replicas, or a sample of them. The scan starts behind the replica chosen last, so that equals take turns
 * and replica 0 is not everybody's first.
 */
function candidateReplicas(
  { state: { replicaCount, lastChosen } }: Situation,
  eligible: ReplicaTest,
): readonly number[] {
  const isSampled = replicaCount > LARGEST_SCANNED && replicaCount % SAMPLE_STRIDE !== 0;
  const stride = isSampled ? SAMPLE_STRIDE : 1;
  const most = isSampled ? SAMPLED : replicaCount;
  const candidates: number[] = [];
  for (let step = 1; step <= replicaCount && candidates.length < most; step += 1) {
    const replica = (lastChosen + step * stride) % replicaCount;
    if (eligible(replica)) candidates.push(replica);
  }
  return candidates;
}

/** The first of the cheapest. */
function lowest(
  candidates: readonly number[],
  cost: (replica: number) => number,
  tieBreak: (replica: number) => number,
): number | null {
  let best: number | null = null;
  let bestCost = 0;
  let bestTieBreak = 0;
  for (const replica of candidates) {
    const replicaCost = cost(replica);
    const replicaTieBreak = tieBreak(replica);
    if (best === null || replicaCost < bestCost || (replicaCost === bestCost && replicaTieBreak < bestTieBreak)) {
      best = replica;
      bestCost = replicaCost;
      bestTieBreak = replicaTieBreak;
    }
  }
  return best;
}
