import * as z from 'zod';

const count = z.number();

/** `auto`: from the measured rate of turns. Shorter shortens the tail, longer is better for the median and for output. */
export const yieldAfter = z.union([z.literal('auto'), z.number().min(1).max(3600)]);
export type YieldAfter = z.infer<typeof yieldAfter>;

/** One replica's cache, in tokens. Those of a beginning that several conversations share count once. */
const replicaRoom = z.object({
  replica: count,
  /** As the engine reports it, else as learned from what was found in the cache; null: neither yet. */
  capacity_tokens: count.nullable(),
  capacity_learned: z.boolean(),
  /** Of the conversations whose place is kept: a turn is under way, or they are worth waiting for. */
  working_set_tokens: count,
  /** Of all that are likely to go on there: beyond the capacity, they evict each other. */
  alive_tokens: count,
  alive_conversations: count,
});
export type ReplicaRoom = z.infer<typeof replicaRoom>;

/** The rule of thumb: conversations × (their typical context − the shared beginning) below the total cache. */
export const fitRule = z.object({
  live_conversations: count,
  /** The median of the live ones; null where there is none. */
  typical_context_tokens: count.nullable(),
  shared_tokens: count,
  /** Of all replicas; null where one of them is not known. */
  total_cache_tokens: count.nullable(),
  /** How many typical ones fit the replicas together; null where one of the numbers is not known. */
  fitting_conversations: count.nullable(),
  fits: z.boolean().nullable(),
});
export type FitRule = z.infer<typeof fitRule>;

/** Cache-fit admission of a model as it stands; a part of `GET /api/models/{name}/routing`. */
export const admissionState = z.object({
  /**
   * `holding`: cache-fit is on. `watching`: it is off; the working set is measured and nothing is ever held. `inactive`:
   * affinity is off, so no conversation has a replica of its own, and nothing is measured or held.
   */
  mode: z.enum(['holding', 'watching', 'inactive']),
  replicas: z.array(replicaRoom),
  /** Turns that wait in the router now, and how long the first of them has waited; null where none does. */
  held: count,
  longest_wait_seconds: count.nullable(),
  /** Since the router started: turns held, conversations that gave up their place, clients that left while held. */
  held_total: count,
  displaced_total: count,
  left_total: count,
  /** How long the first in the queue waits until others give up their place for it: in force now, and as set. */
  yield_after_seconds: count,
  yield_after_setting: yieldAfter,
  /** Nobody is held longer (warden.yaml: max_hold_seconds). */
  max_hold_seconds: count,
  rule: fitRule,
});
export type AdmissionState = z.infer<typeof admissionState>;
