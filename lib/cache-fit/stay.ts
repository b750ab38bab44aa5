import type { Conversation } from './conversation.ts';
import type { Residents } from './residents.ts';
import { isKept, placeCosts, type Scene } from './room.ts';
import type { AdmissionSettings } from './types.ts';
import type { WaitQueue } from './wait-queue.ts';

/** This much of its share a conversation has at least before it may have to give up its place. */
const LEAST_SHARE = 2 / 3;
/** The cache stands this much of overfilling before it loses what is needed next. */
const OUTGROWN = 1.05;
/** Overfilled by this much, each turn evicts the next one's history, and it stays so even if nobody new comes. */
const FAR_OUTGROWN = 1.15;
/** The head waits at least for this many turns of the others. */
const LEAST_WAIT_TURNS = 2;

/**
 * How long one waits until others have given up their places for all who came before, in ms: as set, or the time in
 * which the conversations that have a place make a share of turns for each who waits, at the measured rate.
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

/** The share of turns in a row that a conversation is due: as set, and more where its prompt takes long against its turns. */
function turnsDue({ replicas, habits }: Scene, { turnsPerStay }: AdmissionSettings): number {
  const { coldMs } = placeCosts(replicas, habits);
  const inFlight = replicas.reduce((sum, { allInFlight }) => sum + allInFlight, 0) / Math.max(1, replicas.length);
  return Math.max(turnsPerStay, Math.round((STAY_FOR_COST * coldMs * Math.max(1, inFlight)) / habits.turnMs));
}

/** True where a replica has outgrown its cache and this conversation, with a good part of its stay behind it, may go. */
export function hasOutgrown(conversation: Conversation, scene: Scene, settings: AdmissionSettings): boolean {
  const residents = conversation.replica === null ? undefined : scene.replicas[conversation.replica];
  if (residents === undefined || !hasHadLeast(conversation, scene, settings)) return false;
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

/**
 * True where a warm conversation, about to send its next turn, gives up its place for those who wait: places are given
 * up at the rate at which all of them have waited for `yieldAfterMs`, one after another, so that the line moves evenly.
 */
export function isDue(
  conversation: Conversation,
  scene: Scene,
  queue: WaitQueue,
  settings: AdmissionSettings,
): boolean {
  if (queue.isLineEmpty || !hasHadLeast(conversation, scene, settings)) return false;
  return queue.isPlaceDue(placeEveryMs(scene, queue, settings), scene.now);
}

/** A time that is set goes by the line as it is; the measured rate already evens it out. */
function placeEveryMs(scene: Scene, queue: WaitQueue, settings: AdmissionSettings): number {
  const length = settings.yieldAfterMs === null ? queue.averageLength(scene.now) : queue.lineLength;
  return yieldAfterMs(scene, queue, settings) / Math.max(1, length);
}

function hasHadLeast({ turnsHere }: Conversation, scene: Scene, settings: AdmissionSettings): boolean {
  return turnsHere >= Math.ceil(LEAST_SHARE * turnsDue(scene, settings));
}
