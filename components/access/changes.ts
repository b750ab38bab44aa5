import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type ApiError, deleteJson, sendJson } from '#components/data/client.ts';
import { SESSION_KEY } from '#components/data/session.ts';
import {
  type ApiKeyState,
  apiKey,
  madeKey,
  type NewKey,
  type newPerson,
  type PersonState,
  person,
  type personPatch,
  type SessionState,
  sessionState,
} from '#lib/contract/access.ts';
import { ACCESS_KEYS } from './queries.ts';

export function useSignIn() {
  return useMutation<SessionState, ApiError, { name: string; password: string }>({
    mutationFn: (login) => sendJson('POST', '/api/session', login, sessionState),
  });
}

export function useFirstRun() {
  return useMutation<SessionState, ApiError, { token: string; name: string; password: string }>({
    mutationFn: (request) => sendJson('POST', '/api/first-run', request, sessionState),
  });
}

export function useOwnPassword() {
  return useMutation<SessionState, ApiError, { current: string; password: string }>({
    mutationFn: (request) => sendJson('PATCH', '/api/session/password', request, sessionState),
  });
}

export function useKeyMaking() {
  const refresh = useRefresh();
  return useMutation<z.output<typeof madeKey>, ApiError, NewKey>({
    mutationFn: (wish) => sendJson('POST', '/api/keys', wish, madeKey),
    onSuccess: refresh,
  });
}

export function useKeyRevocation() {
  const refresh = useRefresh();
  return useMutation<ApiKeyState, ApiError, number>({
    mutationFn: (id) => deleteJson(`/api/keys/${id}`, apiKey),
    onSettled: refresh,
  });
}

export function usePersonAdding() {
  const refresh = useRefresh();
  return useMutation<PersonState, ApiError, z.input<typeof newPerson>>({
    mutationFn: (request) => sendJson('POST', '/api/people', request, person),
    onSuccess: refresh,
  });
}

export function usePersonChange() {
  const refresh = useRefresh();
  return useMutation<PersonState, ApiError, { id: number } & z.input<typeof personPatch>>({
    mutationFn: ({ id, ...patch }) => sendJson('PATCH', `/api/people/${id}`, patch, person),
    onSettled: refresh,
  });
}

export function usePersonRemoval() {
  const refresh = useRefresh();
  return useMutation<PersonState, ApiError, number>({
    mutationFn: (id) => deleteJson(`/api/people/${id}`, person),
    onSettled: refresh,
  });
}

/** Whatever was changed is on the lists, the audit list too. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ACCESS_KEYS.all }),
      client.invalidateQueries({ queryKey: SESSION_KEY }),
    ]);
}
