import * as z from 'zod';
import { windowName } from './series.ts';

export const role = z.enum(['admin', 'viewer']);

/**
 * `open`: on loopback, without a password. `first_run`: the first admin is to be made with the link that was printed.
 * `locked`: the accounts cannot be read, so nobody is let in.
 */
export const accessMode = z.enum(['open', 'password', 'first_run', 'locked']);

/** `GET /api/session`: who is asking. Also the answer of signing in and out. */
export const sessionState = z.object({
  mode: accessMode,
  /** Null: nobody who may see the console. */
  role: role.nullable(),
  /** Null where nobody is signed in, as on a console without a password. */
  name: z.string().nullable(),
  /** The password of this person is set by the environment and cannot be changed here. */
  password_is_fixed: z.boolean(),
});
export type SessionState = z.infer<typeof sessionState>;

export const personName = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}._@-]{1,64}$/u, { error: 'letters, digits and . _ @ - only, at most 64' });
const password = z.string().min(1).max(1024);

export const loginRequest = z.strictObject({ name: z.string().min(1).max(256), password });
export const firstRunRequest = z.strictObject({ token: z.string().min(1).max(256), name: personName, password });
export const passwordRequest = z.strictObject({ current: password, password });

export const person = z.object({
  id: z.number(),
  name: z.string(),
  role,
  created_at: z.string(),
  password_changed_at: z.string(),
  password_is_fixed: z.boolean(),
});
export type PersonState = z.infer<typeof person>;
export const peopleList = z.object({ people: z.array(person) });
export const newPerson = z.strictObject({ name: personName, role, password });
export const personPatch = z
  .strictObject({ role: role.optional(), password: password.optional() })
  .refine((patch) => patch.role !== undefined || patch.password !== undefined, { message: 'give role or password' });

export const apiKey = z.object({
  id: z.number(),
  name: z.string(),
  /** How the key begins; the rest is known to its holder alone. */
  prefix: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  /** Null: all models. */
  models: z.array(z.string()).nullable(),
  requests_per_minute: z.number().nullable(),
  concurrent_requests: z.number().nullable(),
  /** Within the window asked for. */
  usage: z.object({
    requests: z.number(),
    measured_requests: z.number(),
    prompt_cached_tokens: z.number(),
    prompt_computed_tokens: z.number(),
    completion_tokens: z.number(),
  }),
});
export type ApiKeyState = z.infer<typeof apiKey>;

/**
 * `GET /api/keys`. `from` and `to`: the time of the usage, widened to whole hours where it is so long ago that single
 * requests are not kept. `required`: a request to `/v1` without a valid key is refused, and why. `shared`: the keys are
 * those of a fleet, their limits count over all its wardens, and what they used is what this one served.
 */
export const keyList = z.object({
  window: windowName,
  from: z.string(),
  to: z.string(),
  shared: z.boolean(),
  required: z.boolean(),
  required_because: z.enum(['setting', 'address', 'keys']).nullable(),
  keys: z.array(apiKey),
});
export type KeyList = z.infer<typeof keyList>;

export const newKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  models: z.array(z.string().min(1).max(256)).min(1).max(200).nullable().default(null),
  requests_per_minute: z.int().min(1).max(1_000_000).nullable().default(null),
  concurrent_requests: z.int().min(1).max(100_000).nullable().default(null),
});
export type NewKey = z.input<typeof newKey>;
/** The only answer that ever holds the key itself. */
export const madeKey = z.object({ key: apiKey, secret: z.string() });

/** What people do, and what is changed without them, as the audit list spells it: of what, and how. */
export const auditAction = z.enum([
  'session.begin',
  'session.end',
  'session.refuse',
  'password.change',
  'first_run.use',
  'person.add',
  'person.change',
  'person.remove',
  'key.make',
  'key.revoke',
  'model.add',
  'model.change',
  'model.remove',
  'model.restore_simulated',
  'routing.change',
  'replica.drain',
  'conversation.move',
  'conversation.forget',
  'demo.set',
  'benchmark.start',
  'benchmark.remove',
  'settings.change',
  'configuration.reload',
  'database.restore',
]);
export type AuditAction = z.infer<typeof auditAction>;

/** Actors that are no person; `warden …` names another warden. */
export const SYSTEM_ACTORS = ['configuration file', 'environment', 'benchmark', 'fleet', 'command line'] as const;

export const auditEntry = z.object({
  id: z.number(),
  time: z.string(),
  actor: z.string(),
  role: z.string(),
  address: z.string().nullable(),
  /** One of `auditAction`, or one of a later version. */
  action: z.string(),
  subject: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntryState = z.infer<typeof auditEntry>;
/** `GET /api/audit?actor=&action=&text=&since=&before=&limit=`, newest first; `next`: `before` of the next page. */
export const auditList = z.object({ entries: z.array(auditEntry), next: z.number().nullable() });
export type AuditList = z.infer<typeof auditList>;
