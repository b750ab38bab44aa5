import { type SessionDetail, type SessionEntry, type SessionList, sessionMove } from '#lib/contract/activity.ts';
import type { Home } from '#lib/routing/homes.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import { shownKey } from '#server/router/shown-key.ts';
import type { RequestRow } from '#server/store/store.ts';
import { findRequests } from './find-requests.ts';
import type { ApiCall } from './handlers.ts';
import { limitOf, modelFilter } from './parameters.ts';
import { readJson } from './read-json.ts';
import { requestEntry } from './request-entry.ts';
import { sessionEntries, sessionEntry } from './session-entry.ts';
import { sessionPage } from './session-search.ts';

export async function listSessions(call: ApiCall): Promise<SessionList> {
  const { registry, now } = call.context;
  const only = modelFilter(call);
  const models = registry.models().filter((model) => only === null || model.name === only);
  const sessions = models.flatMap((model) => sessionEntries(model, now()));
  return sessionPage(call, sessions);
}

/** One conversation with its last turns, also where it has no home any more but its requests are still stored. */
export async function getSession(call: ApiCall): Promise<SessionDetail> {
  const key = call.params.key ?? '';
  const limit = limitOf(call, 60, 200);
  const found = whereHome(call, key);
  const model = found?.model.name ?? modelFilter(call);
  const wanted = { session: found?.home.keyHash ?? key };
  const { rows, next } = await findRequests(call.context.store, model, limit, wanted);
  const turns = rows.filter(isTurn);
  const session = found === null ? heldSession(call, key) : sessionEntry(found.model, found.home, call.context.now());
  if (session === null && turns.length === 0) throw unknown(key);
  return {
    session,
    turns: turns.toReversed().map(requestEntry),
    has_more: next !== null,
  };
}

/** Moves a conversation's home by hand, with effect from its next turn. */
export async function postSessionHome(call: ApiCall): Promise<SessionEntry> {
  const { replica } = await readJson(call.req, sessionMove);
  const { model, home } = liveHome(call);
  if (replica === home.replica) return sessionEntry(model, home, call.context.now());
  const { keyHash } = home;
  const moved = model.moveSession(keyHash, replica);
  if (moved === 'unfit') {
    const detail = `Replica ${replica} of ${model.name} takes no conversations now: it is not there, is down, or drains.`;
    throw new ProblemError(409, 'Not moved', detail, 'replica');
  }
  if (moved === 'none') {
    throw new ProblemError(409, 'Not moved', `There is no other replica of ${model.name} that takes conversations.`);
  }
  return sessionEntry(model, liveHome(call).home, call.context.now());
}

/** Forgets where a conversation lives: its next turn is placed anew. */
export async function deleteSession(call: ApiCall): Promise<{ model: string; key: string }> {
  const { model, home } = liveHome(call);
  model.forgetSession(home.keyHash);
  return { model: model.name, key: shownKey(home.keyHash) };
}

/** Titles, token counts and the like travel under the id of a conversation, but are no turns of it. */
function isTurn({ decision, path }: RequestRow): boolean {
  return decision !== 'balanced' && path !== '/v1/messages/count_tokens';
}

type Found = { readonly model: ModelRuntime; readonly home: Home };

/** The model is part of what a key is the hash of: one key never means two conversations, whatever model is named. */
function whereHome(call: ApiCall, key: string): Found | null {
  const { registry } = call.context;
  const only = modelFilter(call);
  for (const model of registry.models()) {
    if (only !== null && model.name !== only) continue;
    for (const home of model.router.homes()) if (home.keyHash.startsWith(key)) return { model, home };
  }
  return null;
}

/** A conversation whose first turn waits in the router, and which has no home yet. */
function heldSession(call: ApiCall, key: string): SessionEntry | null {
  const { registry, now } = call.context;
  const entries = registry.models().flatMap((model) => sessionEntries(model, now()));
  return entries.find((entry) => entry.key === key) ?? null;
}

function liveHome(call: ApiCall): Found {
  const key = call.params.key ?? '';
  const found = whereHome(call, key);
  if (found !== null) return found;
  throw unknown(key);
}

function unknown(key: string): ProblemError {
  return new ProblemError(404, 'No such session', `No conversation ${key} has a home here.`);
}
