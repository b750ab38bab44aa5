import { type SessionDetail, type SessionEntry, type SessionList, sessionMove } from '#lib/contract/activity.ts';
import { missSentence } from '#lib/conversations/miss.ts';
import type { Home } from '#lib/routing/homes.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import { shownKey } from '#server/router/shown-key.ts';
import type { RequestRow } from '#server/store/store.ts';
import type { ApiCall } from './handlers.ts';
import { limitOf, modelFilter } from './parameters.ts';
import { readJson } from './read-json.ts';
import { requestEntry } from './request-entry.ts';

const MOST_SESSIONS = 2000;

export async function listSessions(call: ApiCall): Promise<SessionList> {
  const { registry, now } = call.context;
  const only = modelFilter(call);
  const models = registry.models().filter((model) => only === null || model.name === only);
  const sessions = models.flatMap((model) => [...model.router.homes(now())].map((home) => sessionEntry(model, home)));
  return { sessions: sessions.sort((a, b) => (a.last_seen < b.last_seen ? 1 : -1)).slice(0, MOST_SESSIONS) };
}

/** One conversation with its last turns, also where it has no home any more but its requests are still stored. */
export async function getSession(call: ApiCall): Promise<SessionDetail> {
  const { model, key } = named(call);
  const limit = limitOf(call, 60, 200);
  const home = homeOf(call, model, key);
  const rows = await call.context.store.requests(model.name, limit + 1, { session: home?.keyHash ?? key });
  const turns = rows.filter(isTurn);
  if (home === null && turns.length === 0) throw unknown(model, key);
  return {
    session: home === null ? null : sessionEntry(model, home),
    turns: turns.slice(0, limit).toReversed().map(requestEntry),
    has_more: rows.length > limit,
  };
}

/** Moves a conversation's home by hand, with effect from its next turn. */
export async function postSessionHome(call: ApiCall): Promise<SessionEntry> {
  const { model, key } = named(call);
  const { replica } = await readJson(call.req, sessionMove);
  const { keyHash, replica: before } = liveHome(call, model, key);
  if (replica === before) return sessionEntry(model, liveHome(call, model, key));
  const moved = model.moveSession(keyHash, replica);
  if (moved === 'unfit') {
    const detail = `Replica ${replica} of ${model.name} takes no conversations now: it is not there, is down, or drains.`;
    throw new ProblemError(409, 'Not moved', detail, 'replica');
  }
  if (moved === 'none') {
    throw new ProblemError(409, 'Not moved', `There is no other replica of ${model.name} that takes conversations.`);
  }
  return sessionEntry(model, liveHome(call, model, key));
}

/** Forgets where a conversation lives: its next turn is placed anew. */
export async function deleteSession(call: ApiCall): Promise<{ model: string; key: string }> {
  const { model, key } = named(call);
  model.forgetSession(liveHome(call, model, key).keyHash);
  return { model: model.name, key };
}

/** Titles, token counts and the like travel under the id of a conversation, but are no turns of it. */
function isTurn({ decision, path }: RequestRow): boolean {
  return decision !== 'balanced' && path !== '/v1/messages/count_tokens';
}

function named(call: ApiCall): { readonly model: ModelRuntime; readonly key: string } {
  const name = modelFilter(call);
  const model = name === null ? null : call.context.registry.named(name);
  if (model === null) throw new ProblemError(400, 'Invalid request', 'Say which model: ?model=…', 'model');
  return { model, key: call.params.key ?? '' };
}

function homeOf({ context }: ApiCall, model: ModelRuntime, key: string): Home | null {
  for (const home of model.router.homes(context.now())) if (home.keyHash.startsWith(key)) return home;
  return null;
}

function liveHome(call: ApiCall, model: ModelRuntime, key: string): Home {
  const home = homeOf(call, model, key);
  if (home !== null) return home;
  throw unknown(model, key);
}

function unknown(model: ModelRuntime, key: string): ProblemError {
  return new ProblemError(404, 'No such session', `No conversation ${key} of ${model.name} has a home here.`);
}

function sessionEntry(model: ModelRuntime, home: Home): SessionEntry {
  const activity = model.sessions.get(home.keyHash);
  const hitShare = activity?.lastHitShare ?? null;
  const miss = activity?.lastMiss ?? null;
  return {
    model: model.name,
    key: shownKey(home.keyHash),
    source: home.source,
    client: activity?.client ?? null,
    home: home.replica,
    turns: home.turns,
    context_tokens: activity?.contextTokens ?? null,
    last_hit_percent: hitShare === null ? null : hitShare * 100,
    last_miss: miss === null ? null : missSentence(miss),
    last_miss_code: miss === null ? null : { code: miss.code, values: { ...miss.values } },
    spills: activity?.spills ?? 0,
    in_flight: activity?.inFlight ?? 0,
    held_seconds: null,
    queue_position: null,
    expected_wait_seconds: null,
    displaced: 0,
    last_decision: activity?.lastDecision ?? null,
    last_seen: new Date(home.lastUsedAt).toISOString(),
  };
}
