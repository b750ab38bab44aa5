import type { SessionEntry } from '#lib/contract/activity.ts';
import { missSentence } from '#lib/conversations/miss.ts';
import type { Home } from '#lib/routing/homes.ts';
import type { HeldTurn } from '#server/router/admission-gate.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import { shownKey } from '#server/router/shown-key.ts';

/** The conversations of a model that have a home, and those that are held and have none yet. */
export function sessionEntries(model: ModelRuntime, now: number): SessionEntry[] {
  const held = heldByKey(model);
  const entries = [...model.router.homes()].map((home) => {
    const turn = held.get(home.keyHash) ?? null;
    held.delete(home.keyHash);
    return entryOf(model, home, turn, now);
  });
  const homeless = [...held.values()].map((turn) => ({
    ...known(model, turn.keyHash),
    ...waiting(turn, now),
    client: turn.client,
    source: turn.source,
    home: null,
    turns: 0,
    last_seen: iso(turn.since),
  }));
  return [...homeless, ...entries];
}

export function sessionEntry(model: ModelRuntime, home: Home, now: number): SessionEntry {
  return entryOf(model, home, heldByKey(model).get(home.keyHash) ?? null, now);
}

function heldByKey(model: ModelRuntime): Map<string, HeldTurn> {
  // Of a conversation with several turns in the queue, the first counts.
  return new Map(
    model.admission
      .heldTurns()
      .map((turn) => [turn.keyHash, turn] as const)
      .toReversed(),
  );
}

function entryOf(model: ModelRuntime, home: Home, turn: HeldTurn | null, now: number): SessionEntry {
  return {
    ...known(model, home.keyHash),
    ...waiting(turn, now),
    source: home.source,
    home: home.replica,
    // A home that is made anew, as after a restart of the engine, begins to count again; the conversation does not.
    turns: Math.max(home.turns, model.sessions.get(home.keyHash)?.turns ?? 0),
    last_seen: iso(turn?.since ?? home.lastUsedAt),
  };
}

type Waiting = Pick<SessionEntry, 'held_seconds' | 'queue_position' | 'expected_wait_seconds'>;

function waiting(turn: HeldTurn | null, now: number): Waiting {
  if (turn === null) return { held_seconds: null, queue_position: null, expected_wait_seconds: null };
  const { since, position, expectedWaitMs } = turn;
  return {
    held_seconds: Math.max(0, now - since) / 1000,
    queue_position: position + 1,
    expected_wait_seconds: expectedWaitMs === null ? null : expectedWaitMs / 1000,
  };
}

type Known = Omit<SessionEntry, keyof Waiting | 'source' | 'home' | 'turns' | 'last_seen'>;

/** What is known of a conversation beside its home. */
function known(model: ModelRuntime, keyHash: string): Known {
  const activity = model.sessions.get(keyHash);
  const hitShare = activity?.lastHitShare ?? null;
  const miss = activity?.lastMiss ?? null;
  return {
    model: model.name,
    key: shownKey(keyHash),
    client: activity?.client ?? null,
    context_tokens: activity?.contextTokens ?? null,
    last_hit_percent: hitShare === null ? null : hitShare * 100,
    last_miss: miss === null ? null : missSentence(miss),
    last_miss_code: miss === null ? null : { code: miss.code, values: { ...miss.values } },
    spills: activity?.spills ?? 0,
    displaced: activity?.displaced ?? 0,
    in_flight: activity?.inFlight ?? 0,
    last_decision: activity?.lastDecision ?? null,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
