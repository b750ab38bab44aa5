import type { LiveView } from './live.ts';
import { isAlive, isKept, keepTimes, type Scene } from './room.ts';

export type ReplicaRoom = {
  /** Null: the engine does not report it and nothing has been learned. */
  readonly capacityTokens: number | null;
  readonly isCapacityLearned: boolean;
  /** Tokens of the conversations whose place is kept, shared beginnings once. */
  readonly workingSetTokens: number;
  /** Of these, without the shared beginnings. */
  readonly unsharedTokens: number;
  /** Tokens of all that are alive: what would have to fit for nothing ever to be held. */
  readonly aliveTokens: number;
  readonly aliveConversations: number;
};

/** What the console shows of admission. Times in ms; `heldTotal` and `displacedTotal` count since the start. */
export type AdmissionView = {
  readonly replicas: readonly ReplicaRoom[];
  readonly held: number;
  readonly longestWaitMs: number | null;
  readonly heldTotal: number;
  readonly displacedTotal: number;
  /** How long the head waits until others give up their place for it. */
  readonly yieldAfterMs: number;
  /** By kind: how long the place of a silent conversation is kept. */
  readonly keepMs: ReadonlyMap<string, number>;
  readonly live: LiveView;
};

type Waiting = {
  readonly count: number;
  readonly total: number;
  readonly displaced: number;
  readonly longestWaitMs: number | null;
  readonly yieldAfterMs: number;
  readonly live: LiveView;
};

export function viewOf(scene: Scene, waiting: Waiting): AdmissionView {
  const alive = isAlive(scene);
  const kept = isKept(scene);
  const keepMs = keepTimes(scene);
  const kinds = new Map<string, number>();
  for (const residents of scene.replicas) for (const { kind } of residents) kinds.set(kind, keepMs(kind));
  return {
    replicas: scene.replicas.map((residents) => ({
      capacityTokens: residents.capacity.tokens,
      isCapacityLearned: residents.capacity.isLearned,
      workingSetTokens: residents.tokens(kept),
      unsharedTokens: residents.unshared(kept),
      aliveTokens: residents.tokens(alive),
      aliveConversations: residents.count(alive),
    })),
    held: waiting.count,
    longestWaitMs: waiting.longestWaitMs,
    heldTotal: waiting.total,
    displacedTotal: waiting.displaced,
    yieldAfterMs: waiting.yieldAfterMs,
    keepMs: kinds,
    live: waiting.live,
  };
}
