import type { ApiKey, Role } from './types.ts';

/**
 * Who a request comes from. `local`: whoever reaches a console on loopback that has no password; acts as an admin.
 * `internal`: the router's own demo and benchmark. `fellow`: another warden of the fleet. `anonymous`: nobody that is known.
 */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'local' }
  | { readonly kind: 'internal' }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'fellow' }
  | { readonly kind: 'key'; readonly key: ApiKey }
  | {
      readonly kind: 'person';
      readonly id: number;
      readonly name: string;
      readonly role: Role;
      /** Of the session by which they came. */
      readonly tokenHash: string;
    };

/**
 * Who may pass. `viewer`: anyone who may see the console. `client`: whoever may send requests to models. `metrics`:
 * whoever may read the figures of the process. `fellow`: the other wardens of the fleet, and who may see the console.
 */
export type Who = 'anyone' | 'viewer' | 'admin' | 'client' | 'metrics' | 'fellow';

/** The one rule of who may pass where. */
export function mayPass(caller: Caller, who: Who): boolean {
  switch (who) {
    case 'anyone':
      return true;
    case 'viewer':
      return caller.kind === 'local' || caller.kind === 'person';
    case 'admin':
      return caller.kind === 'local' || (caller.kind === 'person' && caller.role === 'admin');
    case 'client':
      return caller.kind === 'key' || caller.kind === 'internal' || mayPass(caller, 'admin');
    case 'metrics':
      return caller.kind === 'metrics' || mayPass(caller, 'viewer');
    case 'fellow':
      return caller.kind === 'fellow' || mayPass(caller, 'viewer');
  }
}

/** Whether a caller may use a model; a key may be limited to some. `model`: the name in the configuration. */
export function mayUseModel(caller: Caller, model: string): boolean {
  return caller.kind !== 'key' || caller.key.models === null || caller.key.models.includes(model);
}

/** The name that the audit list knows a caller by. */
export function actorOf(caller: Caller): { readonly actor: string; readonly role: string } {
  switch (caller.kind) {
    case 'person':
      return { actor: caller.name, role: caller.role };
    case 'key':
      return { actor: caller.key.name, role: 'key' };
    case 'local':
      return { actor: 'local', role: 'admin' };
    default:
      return { actor: caller.kind, role: 'none' };
  }
}
