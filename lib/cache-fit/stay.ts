import type { Conversation } from './conversation.ts';
import type { Residents } from './residents.ts';
import { isKept, placeCosts, type Scene } from './room.ts';
import type { AdmissionSettings } from './types.ts';
import type { WaitQueue } from './wait-queue.ts';

/** Where a replica has outgrown its cache, this share of a stay is enough. */
const OUTGROWN_SHARE = 2 / 3;
/** The cache stands this much of overfilling before it loses what is needed next. */
const OUTGROWN = 1.02;
/** Overfilled by this much, each turn evicts the next one's history, and it stays so even if nobody new comes. */
const FAR_OUTGROWN = 1.15;
/** The head waits at least for this many turns of the others. */
const LEAST_WAIT_TURNS = 2;

/**
 * How long the head of the line waits until others give up their place for it, in ms: as set, or the time in which the
 * conversations that have a place make all who wait their turns (`turnsPerStay` each), at the measured rate.
 */
export function yieldAfterMs(scene: Scene, queue: WaitQueue, settings: AdmissionSettings): number {
  if (settings.yieldAfterMs !== null) return settings.yieldAfterMs;
  const { turnMs } = scene.habits;
  const inFlight = scene.replicas.reduce((sum, { allInFlight }) => sum + allInFlight, 0);
  const stays = queue.averageLength(scene.now) / Math.max(1, inFlight);
  return turnMs * Math.max(LEAST_WAIT_TURNS, turnsDue(scene, settings) * stays);
}

/** The time of a stay is at least this many times what admitting the conversation cost all that run beside it. */
const STAY_FOR_COST = 4;

/** Turns in a row that a conversation is due: as set, and more where its prompt takes long against its turns. */
function turnsDue({ replicas, habits }: Scene, { turnsPerStay }: AdmissionSettings): number {
  const { coldMs } = placeCosts(replicas, habits);
  const inFlight = replicas.reduce((sum, { allInFlight }) => sum + allInFlight, 0) / Math.max(1, replicas.length);
  return Math.max(turnsPerStay, Math.round((STAY_FOR_COST * coldMs * Math.max(1, inFlight)) / habits.turnMs));
}

/** True where a replica has outgrown its cache and this conversation, with a good part of its stay behind it, may go. */
export function hasOutgrown(conversation: Conversation, scene: Scene, settings: AdmissionSettings): boolean {
  const residents = conversation.replica === null ? undefined : scene.replicas[conversation.replica];
  if (residents === undefined || conversation.turnsHere < OUTGROWN_SHARE * shareOf(conversation, scene, settings)) {
    return false;
  }
  return fillWith(conversation, residents, scene) > OUTGROWN;
}

/** True where a replica thrashes by far too many conversations that have a place, as after a start with nothing known. */
export function hasFarOutgrown(conversation: Conversation, scene: Scene): boolean {
  const residents = conversation.replica === null ? undefined : scene.replicas[conversation.replica];
  return residents !== undefined && fillWith(conversation, residents, scene) > FAR_OUTGROWN;
}

/** How full a replica is of the places it keeps and of `conversation`; 1 is all its cache. */
function fillWith(conversation: Conversation, residents: Residents, scene: Scene): number {
  const kept = isKept(scene);
  const tokens = residents.tokens((one) => one === conversation || kept(one));
  return (residents.capacity.isLearned ? tokens : residents.elsewhere.tokens + tokens) / residents.cache;
}

/** True where a warm conversation, about to send its next turn, had its share and others have waited long enough. */
export function isDue(
  conversation: Conversation,
  scene: Scene,
  queue: WaitQueue,
  settings: AdmissionSettings,
): boolean {
  const { lineAskedAt } = queue;
  if (lineAskedAt === null || conversation.turnsHere < shareOf(conversation, scene, settings)) return false;
  return scene.now - lineAskedAt >= yieldAfterMs(scene, queue, settings);
}

/** One that had to give up a place before has twice the share: each stay costs computing all of it anew. */
function shareOf(conversation: Conversation, scene: Scene, settings: AdmissionSettings): number {
  return turnsDue(scene, settings) * (conversation.wasDisplaced ? 2 : 1);
}
