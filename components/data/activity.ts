import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  clientList,
  requestList,
  type SessionEntry,
  type SessionMove,
  sessionDetail,
  sessionEntry,
  sessionForgotten,
  sessionList,
} from '#lib/contract/activity.ts';
import { connectFacts } from '#lib/contract/connect.ts';
import { type ApiError, deleteJson, sendJson } from './client.ts';
import { keys } from './keys.ts';
import { usePoll } from './poll.ts';

const LIVE_MS = 2_000;
const LIST_MS = 5_000;
/** A new client is a rare thing. */
const CLIENTS_MS = 60_000;

/** The newest conversations that have a home, or wait for one, and in which `q` is found. */
export function useSessions(model: string | null, q = '') {
  const search = new URLSearchParams({ ...(model === null ? {} : { model }), ...(q === '' ? {} : { q }) });
  return usePoll({
    key: keys.sessions(model, q),
    path: `/api/sessions?${search}`,
    schema: sessionList,
    everyMs: LIST_MS,
    keepPrevious: true,
  });
}

/** One conversation and its last turns. */
export function useSessionDetail(key: string) {
  return usePoll({
    key: keys.session(key),
    path: sessionPath(key),
    schema: sessionDetail,
    everyMs: LIVE_MS,
    keepPrevious: false,
  });
}

/** A page of the finished requests that match; the names are those of the API's query. */
export function useRequests(parameters: Readonly<Record<string, string | null>>) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== '') search.set(name, value);
  return usePoll({
    key: keys.requests(search.toString()),
    path: `/api/requests?${search}`,
    schema: requestList,
    everyMs: LIST_MS,
    keepPrevious: true,
  });
}

/** The names of the clients whose requests are stored. */
export function useRequestClients() {
  return usePoll({
    key: keys.requestClients(),
    path: '/api/requests/clients',
    schema: clientList,
    everyMs: CLIENTS_MS,
  });
}

/** What a client of this model has to know, and which clients came lately. */
export function useConnectFacts(model: string) {
  return usePoll({
    key: keys.connect(model),
    path: `/api/models/${encodeURIComponent(model)}/connect`,
    schema: connectFacts,
    everyMs: LIST_MS,
  });
}

/** Moves a conversation's home from its next turn on; the answer is the conversation with its new home. */
export function useSessionMove(key: string) {
  const client = useQueryClient();
  return useMutation<SessionEntry, ApiError, SessionMove>({
    mutationFn: (move) => sendJson('POST', `${sessionPath(key)}/home`, move, sessionEntry),
    onSuccess: () => refresh(client, key),
  });
}

/** Forgets where a conversation lives. */
export function useSessionForget(key: string) {
  const client = useQueryClient();
  return useMutation<{ model: string; key: string }, ApiError>({
    mutationFn: () => deleteJson(sessionPath(key), sessionForgotten),
    onSuccess: () => refresh(client, key),
  });
}

function sessionPath(key: string): string {
  return `/api/sessions/${encodeURIComponent(key)}`;
}

async function refresh(client: ReturnType<typeof useQueryClient>, key: string): Promise<void> {
  // A poll that left before the change may answer after it, with the old home.
  await client.cancelQueries({ queryKey: keys.session(key) });
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.session(key) }),
    client.invalidateQueries({ queryKey: ['sessions'] }),
    client.invalidateQueries({ queryKey: ['events'] }),
  ]);
}
