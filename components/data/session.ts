import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SessionState, sessionState } from '#lib/contract/access.ts';
import { type ApiError, deleteJson } from './client.ts';
import { setSigningOut } from './login-address.ts';
import { usePoll } from './poll.ts';

const SESSION_MS = 60_000;
export const SESSION_KEY = ['session'] as const;

/** Who is looking at the console. */
export function useSession() {
  return usePoll({ key: SESSION_KEY, path: '/api/session', schema: sessionState, everyMs: SESSION_MS });
}

/** False for a viewer: what changes something is then to be shown disabled, with the reason. True until it is known. */
export function useMayChange(): boolean {
  const role = useSession().data?.role;
  return role !== 'viewer';
}

/** Signs out and goes to the login page; a page that was left keeps nothing on screen. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation<SessionState, ApiError, void>({
    mutationFn: () => deleteJson('/api/session', sessionState),
    onMutate: () => setSigningOut(true),
    onError: () => setSigningOut(false),
    onSuccess: () => {
      client.clear();
      location.assign('/login');
    },
  });
}
