import type { Conversation } from './conversation.ts';
import { isKept, placeCosts, type Scene } from './room.ts';
import type { AdmissionSettings, Ticket } from './types.ts';
import type { WaitQueue } from './wait-queue.ts';

/** Where a replica has outgrown its cache, this share of a stay is enough. */
const OUTGROWN_SHARE = 2 / 3;
/** The cache stands this much of overfilling before it loses what is needed next. */
const OUTGROWN = 1.02;
/** The head waits at least for this many turns of the others. */
const LEAST_WAIT_TURNS = 2;

/**
 * How long the head of the queue waits until others give up their place for it, in ms: as set, or the time in which the
 * conversations that have a place make all who wait their turns (`turnsPerStay` each), at the measured rate.
 */
export function yieldAfterMs(scene: Scene, queue: WaitQueue, settings: AdmissionSettings): number {
  if (settings.yieldAfterMs !== null) return settings.yieldAfterMs;
  const { turnMs } = scene.habits;
  const inFlight = scene.replicas.reduce((sum, residents) => sum + residents.inFlight, 0);
  const stays = queue.averageLength(scene.now) / Math.max(1, inFlight);
  return turnMs * Math.max(LEAST_WAIT_TURNS, turnsDue(scene, settings) * stays);
}

/** The time of a stay is at least this many times what admitting the conversation cost all that run beside it. */
const STAY_FOR_COST = 4;

/** Turns in a row that a conversation is due: as set, and more where its prompt takes long against its turns. */
function turnsDue({ replicas, habits }: Scene, { turnsPerStay }: AdmissionSettings): number {
  const { coldMs } = placeCosts(replicas, habits);
  const inFlight = replicas.reduce((sum, residents) => sum + residents.inFlight, 0) / Math.max(1, replicas.length);
  return Math.max(turnsPerStay, Math.round((STAY_FOR_COST * coldMs * Math.max(1, inFlight)) / habits.turnMs));
}

type Stay = { readonly scene: Scene; readonly queue: WaitQueue; readonly settings: AdmissionSettings };

/**
 * True where a warm conversation, about to send its next turn, gives up its place: others wait, it had its share, and
 * either the head has waited long enough or the replica has outgrown its cache. One that had to give up a place before
 * has twice the share: each stay costs computing all of it anew.
 */
export function shouldYield(conversation: Conversation, head: Ticket, stay: Stay): boolean {
  const { scene, queue, settings } = stay;
  const residents = conversation.replica === null ? undefined : scene.replicas[conversation.replica];
  if (residents === undefined) return false;
  const due = turnsDue(scene, settings) * (conversation.wasDisplaced ? 2 : 1);
  const { turnsHere } = conversation;
  if (turnsHere >= due * OUTGROWN_SHARE) {
    const kept = isKept(scene);
    const tokens = residents.tokens((one) => one === conversation || kept(one));
    if (tokens > residents.limit * OUTGROWN) return true;
  }
  if (turnsHere < due) return false;
  return scene.now - head.askedAt >= yieldAfterMs(scene, queue, settings);
}
