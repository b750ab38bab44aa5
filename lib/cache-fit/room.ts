import type { Conversation } from './conversation.ts';
import type { Habits } from './habits.ts';
import type { Residents } from './residents.ts';
import type { OpenReplicas } from './types.ts';

/** What the rules look at, at one moment. */
export type Scene = {
  readonly replicas: readonly Residents[];
  readonly habits: Habits;
  readonly open: OpenReplicas;
  readonly now: number;
};

/** A replica that holds part of a conversation may have this many more conversations than another and still be taken. */
const HOME_ADVANTAGE = 2;

type Test = (conversation: Conversation) => boolean;

/** Not known to have ended: a turn is under way, or the silence is not longer than its kind's pauses are. */
export function isAlive({ habits, now }: Scene): Test {
  return (one) => one.inFlight > 0 || now - one.lastActiveAt <= habits.pauses(one.kind).aliveMs;
}

/** Its place is kept: a turn is under way, or its silence is still short enough to be worth the room. */
export function isKept(scene: Scene): Test {
  const keepMs = keepTimes(scene);
  return (one) => one.inFlight > 0 || scene.now - one.lastActiveAt <= keepMs(one.kind);
}

/** How long the place of a silent conversation is kept, by kind, in ms. */
export function keepTimes({ replicas, habits }: Scene): (kind: string) => number {
  const known = new Map<string, number>();
  let costs: { coldMs: number; places: number } | null = null;
  return (kind) => {
    costs ??= placeCosts(replicas, habits);
    let keepMs = known.get(kind);
    if (keepMs === undefined) {
      const warmMs = habits.msPerToken * habits.growth;
      keepMs = habits.pauses(kind).keepMs({ ...costs, warmMs, decodeMs: habits.decodeMs });
      known.set(kind, keepMs);
    }
    return keepMs;
  };
}

/** Computing the average conversation anew, and how many of its size fit one replica. */
function placeCosts(replicas: readonly Residents[], habits: Habits): { coldMs: number; places: number } {
  let own = 0;
  let shared = 0;
  let count = 0;
  for (const residents of replicas) {
    for (const one of residents) {
      own += one.tokens - one.shared;
      shared = Math.max(shared, one.shared);
      count += 1;
    }
  }
  const each = Math.max(1, own / Math.max(1, count));
  const limits = replicas.map(({ limit }) => limit).filter(Number.isFinite);
  const limit = limits.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, limits.length);
  return { coldMs: habits.msPerToken * each, places: Math.max(1, (limit - shared) / each) };
}

/** True where all conversations that are alive fit, whichever replica `newcomer` went to: admission has no say then. */
export function fitsEverywhere(scene: Scene, newcomer: Conversation | null): boolean {
  const alive = isAlive(scene);
  return scene.replicas.every(
    (residents, replica) =>
      !scene.open(replica) ||
      residents.limit === Number.POSITIVE_INFINITY ||
      residents.tokens(alive, newcomer) <= residents.limit,
  );
}

/**
 * The replica with room for `newcomer` that has the fewest live conversations, then the fewest kept tokens. One whole
 * prompt is computed at a time: a second would wait in the engine, in front of the warm turns that come meanwhile.
 * Null where there is none.
 */
export function roomFor(scene: Scene, newcomer: Conversation): number | null {
  const alive = isAlive(scene);
  const kept = isKept(scene);
  let best: { replica: number; load: number; tokens: number } | null = null;
  for (const [replica, residents] of scene.replicas.entries()) {
    if (!scene.open(replica) || residents.computing > 0) continue;
    const tokens = residents.tokens(kept, newcomer);
    // One that is larger than the whole cache has room where it is alone.
    if (tokens > residents.limit && residents.count(kept) > 0) continue;
    const load = residents.count(alive) - (replica === newcomer.lastReplica ? HOME_ADVANTAGE : 0);
    if (best === null || load < best.load || (load === best.load && tokens < best.tokens)) {
      best = { replica, load, tokens };
    }
  }
  return best?.replica ?? null;
}

/** Where `newcomer` does the least harm when nobody has room for it; null where no replica is open. */
export function leastFull({ replicas, open }: Scene, newcomer: Conversation): number | null {
  let best: { replica: number; fill: number } | null = null;
  for (const [replica, residents] of replicas.entries()) {
    if (!open(replica)) continue;
    const fill = residents.tokens(({ inFlight }) => inFlight > 0, newcomer) / residents.limit;
    if (best === null || fill < best.fill) best = { replica, fill };
  }
  return best?.replica ?? null;
}
