import { type Conversation, isHeld, isUnderWay } from './conversation.ts';
import type { Habits } from './habits.ts';
import type { Residents } from './residents.ts';
import type { OpenReplicas } from './types.ts';

/**
 * All conversations, wherever they are, each as far as it is likely to go on. `isTight`: they need more tokens than all
 * caches hold.
 */
export type Crowd = { readonly isTight: boolean; readonly conversations: number };

/** What the rules look at, at one moment. */
export type Scene = {
  readonly replicas: readonly Residents[];
  readonly habits: Habits;
  readonly open: OpenReplicas;
  readonly crowd: Crowd;
  /** How long it may take until a turn that began at another router is heard of, in ms. */
  readonly newsMs: number;
  readonly now: number;
};

/** Short prompts share a step of the engine, so some may be under way at once. */
const ENOUGH_TO_COMPUTE_MS = 500;

/** A conversation returns to where it was before, which may hold part of it, in spite of this many more that live there. */
const HOME_ADVANTAGE = 1;

/** Longer silences are not looked at. */
const MOST_SILENT_MS = 300_000;

type Test = (conversation: Conversation) => boolean;

/** Not known to have ended: a turn is under way, or the silence is not longer than its kind's pauses are. */
export function isAlive({ habits, now }: Scene): Test {
  return (one) => isUnderWay(one, now) || now - one.lastActiveAt <= habits.pauses(one.kind).aliveMs;
}

/** Its place is kept: a turn is under way, or its silence is still short enough to be worth the room. */
export function isKept(scene: Scene): Test {
  const keepMs = keepTimes(scene);
  return (one) => isUnderWay(one, scene.now) || scene.now - one.lastActiveAt <= keepMs(one.kind);
}

/** How long the place of a silent conversation is kept, by kind, in ms; as long more as its next turn may be unheard of. */
export function keepTimes(scene: Scene): (kind: string) => number {
  const worth = worthTimes(scene);
  return (kind) => {
    const ms = worth(kind);
    return ms === 0 ? 0 : ms + scene.newsMs;
  };
}

/** How long keeping the place of a silent conversation is worth it. */
function worthTimes({ replicas, habits, crowd }: Scene): (kind: string) => number {
  const known = new Map<string, number>();
  let costs: { coldMs: number; places: number } | null = null;
  return (kind) => {
    costs ??= placeCosts(replicas, habits);
    let keepMs = known.get(kind);
    if (keepMs === undefined) {
      const warmMs = habits.msPerToken * habits.growth;
      // An idle place holds up nobody but who would take it, a cold prompt all that run beside it.
      const inFlight = replicas.reduce((sum, { allInFlight }) => sum + allInFlight, 0) / Math.max(1, replicas.length);
      const mostMs = costs.coldMs * Math.max(1, Math.min(inFlight, costs.places));
      const conversations = crowd.conversations / Math.max(1, replicas.length);
      keepMs = habits.pauses(kind).keepMs({ ...costs, warmMs, decodeMs: habits.decodeMs, mostMs, conversations });
      known.set(kind, keepMs);
    }
    return keepMs;
  };
}

/** The time to compute the average conversation anew, and how many of its size fit one replica. */
export function placeCosts(replicas: readonly Residents[], habits: Habits): { coldMs: number; places: number } {
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
  const caches = replicas.map(({ cache }) => cache).filter(Number.isFinite);
  const cache = caches.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, caches.length);
  return { coldMs: habits.msPerToken * each, places: Math.max(1, Math.floor((cache - shared) / each)) };
}

export function crowdOf(
  all: Iterable<Conversation>,
  { replicas, habits, now }: Pick<Scene, 'replicas' | 'habits' | 'now'>,
): Crowd {
  let shared = 0;
  let own = 0;
  let conversations = 0;
  for (const one of all) {
    const isSure = isUnderWay(one, now) || isHeld(one, now);
    if (one.turns === 0 && !isSure) continue;
    if (now - one.lastActiveAt > MOST_SILENT_MS && !isSure) continue;
    const chance = isSure ? 1 : chanceOfReturn({ habits, now }, one);
    conversations += chance;
    shared = Math.max(shared, one.shared);
    own += chance * (one.tokens - one.shared);
  }
  const room = replicas.reduce((sum, { limit }) => sum + limit, 0);
  return { isTight: own + replicas.length * shared > room, conversations };
}

function chanceOfReturn({ habits, now }: Pick<Scene, 'habits' | 'now'>, { kind, lastActiveAt }: Conversation): number {
  return habits.pauses(kind).chanceOfReturn(now - lastActiveAt);
}

/** With fewer conversations on a replica there is little to arrange. */
const FEW_PLACES = 3;

/**
 * True where admission has nothing to arrange: a replica holds one or two conversations at a time, and keeping the place
 * of one that is silent does not pay. Then the engine's own queue is as good, as the sweep showed.
 */
export function isPointless(scene: Scene, { kind }: Conversation): boolean {
  return placeCosts(scene.replicas, scene.habits).places < FEW_PLACES && keepTimes(scene)(kind) === 0;
}

/** True where all that will go on fit, whichever replica `newcomer` went to: admission has no say then. */
export function fitsEverywhere(scene: Scene, newcomer: Conversation | null): boolean {
  return scene.replicas.every((residents, replica) => {
    if (!scene.open(replica) || residents.limit === Number.POSITIVE_INFINITY) return true;
    return fitsBesideAll(scene, residents, newcomer);
  });
}

/** True where `newcomer` fits beside all that will go on there, each as far as that is likely. */
function fitsBesideAll(scene: Scene, residents: Residents, newcomer: Conversation | null): boolean {
  const alive = isAlive(scene);
  const unlikely = residents.sum((one) =>
    one === newcomer || isUnderWay(one, scene.now) || !alive(one)
      ? 0
      : (1 - chanceOfReturn(scene, one)) * (one.tokens - one.shared),
  );
  return residents.tokens(alive, newcomer) - unlikely <= residents.limit;
}

/**
 * The replica with room for `newcomer` that has the fewest conversations that will go on, then the least in flight; null
 * where there is none. In a crowd whole prompts are computed one at a time: a second would wait in the engine, in front
 * of the warm turns that come meanwhile.
 */
export function roomFor(scene: Scene, newcomer: Conversation): number | null {
  const alive = isAlive(scene);
  const hasRoom = roomTest(scene, newcomer);
  let best: { replica: number; load: readonly number[] } | null = null;
  for (const [replica, residents] of scene.replicas.entries()) {
    if (!scene.open(replica) || (scene.crowd.isTight && isComputing(residents, scene.habits))) continue;
    if (!hasRoom(residents, replica)) continue;
    const { elsewhere } = residents;
    const here = residents.sum((one) => (isUnderWay(one, scene.now) ? 1 : chanceOfReturn(scene, one)));
    const expected = elsewhere.conversations + here - (replica === newcomer.lastReplica ? HOME_ADVANTAGE : 0);
    const tokens = elsewhere.tokens + residents.tokens(alive, newcomer);
    const load = [expected, residents.allInFlight, tokens];
    if (best === null || isLess(load, best.load)) best = { replica, load };
  }
  return best?.replica ?? null;
}

function isComputing({ computing, computingElsewhere }: Residents, { msPerToken }: Habits): boolean {
  return (computing + computingElsewhere) * msPerToken > ENOUGH_TO_COMPUTE_MS;
}

/**
 * Room is what those leave whose places are kept. While all caches together hold all that will go on, or where no places
 * are kept (or not knowingly), one that comes back may go where it was before in any case: elsewhere it would drive out
 * another that comes back as well, and so on from replica to replica. In the first of these cases it moves only to where
 * it drives out nobody.
 */
function roomTest(scene: Scene, newcomer: Conversation): (residents: Residents, replica: number) => boolean {
  const kept = isKept(scene);
  const { isTight } = scene.crowd;
  const home = newcomer.lastReplica;
  const { isKnown } = scene.habits.pauses(newcomer.kind);
  const mayGoHome = !isTight || !isKnown || keepTimes(scene)(newcomer.kind) === 0;
  return (residents, replica) => {
    if (replica === home && mayGoHome) return true;
    if (home !== null && !isTight && !fitsBesideAll(scene, residents, newcomer)) return false;
    if (residents.tokens(kept, newcomer) <= residents.limit) return true;
    // One that is larger than the whole cache has room where it is alone.
    return residents.elsewhere.tokens === 0 && residents.count(kept) === 0;
  };
}

function isLess(load: readonly number[], other: readonly number[]): boolean {
  const at = load.findIndex((value, index) => value !== other[index]);
  return (load[at] ?? 0) < (other[at] ?? 0);
}

/** Where `newcomer` does the least harm when nobody has room for it; null where no replica is open. */
export function leastFull({ replicas, open, now }: Scene, newcomer: Conversation): number | null {
  let best: { replica: number; fill: number } | null = null;
  for (const [replica, residents] of replicas.entries()) {
    if (!open(replica)) continue;
    const tokens = residents.elsewhere.tokens + residents.tokens((one) => isUnderWay(one, now), newcomer);
    const fill = tokens / residents.cache;
    if (best === null || fill < best.fill) best = { replica, fill };
  }
  return best?.replica ?? null;
}
