import { z } from 'zod';
import type { ToldConversation } from '#lib/cache-fit/types.ts';

/**
 * A conversation as a warden tells the others of it. `key` is the hashed session key, `replica` a replica's id; times in
 * ms of the shared memory's clock.
 */
export const memberConversation = z.object({
  key: z.string(),
  kind: z.string(),
  replica: z.string().nullable(),
  tokens: z.number(),
  shared: z.number(),
  last_total: z.number().nullable(),
  turns: z.number(),
  turns_here: z.number(),
  in_flight: z.boolean(),
  held_since_ms: z.number().nullable(),
  computing: z.number(),
  changed_at_ms: z.number(),
});
export type MemberConversation = z.infer<typeof memberConversation>;

type Replicas = { replicaIds(): readonly string[]; replicaOf(id: string): number | null };

/** `now` in ms of the shared memory's clock. */
export function writeConversation(told: ToldConversation, replicas: Replicas, now: number): MemberConversation {
  const { key, kind, tokens, shared, turns, computing } = told;
  return {
    key,
    kind,
    replica: told.replica === null ? null : (replicas.replicaIds()[told.replica] ?? null),
    tokens,
    shared,
    last_total: told.lastTotal,
    turns,
    turns_here: told.turnsHere,
    in_flight: told.isInFlight,
    held_since_ms: told.heldForMs === null ? null : now - told.heldForMs,
    computing,
    changed_at_ms: now - told.changedAgoMs,
  };
}

/** Nothing where it lives on a replica that this warden does not have. `now` in ms of the shared memory's clock. */
export function readConversation(of: MemberConversation, replicas: Replicas, now: number): readonly ToldConversation[] {
  const replica = of.replica === null ? null : replicas.replicaOf(of.replica);
  if (of.replica !== null && replica === null) return [];
  const { key, kind, tokens, shared, turns, computing } = of;
  return [
    {
      key,
      kind,
      replica,
      tokens,
      shared,
      lastTotal: of.last_total,
      turns,
      turnsHere: of.turns_here,
      isInFlight: of.in_flight,
      heldForMs: of.held_since_ms === null ? null : Math.max(0, now - of.held_since_ms),
      computing,
      changedAgoMs: Math.max(0, now - of.changed_at_ms),
    },
  ];
}
