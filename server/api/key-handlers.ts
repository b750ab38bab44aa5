import type { z } from 'zod';
import { actorOf } from '#lib/access/caller.ts';
import type { ApiKey, KeyUsage } from '#lib/access/types.ts';
import { type ApiKeyState, type KeyList, type madeKey, newKey } from '#lib/contract/access.ts';
import type { Span } from '#lib/series/span.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { Facts } from './audit-rule.ts';
import type { ApiContext } from './context.ts';
import type { ApiCall } from './handlers.ts';
import { readJson } from './read-json.ts';
import { askedWindow } from './series-window.ts';

const HOUR_MS = 3_600_000;
const NOTHING = { requests: 0, measured: 0, cachedTokens: 0, computedTokens: 0, completionTokens: 0 };

/** The keys, newest first, with what each used in the last day, or in the window that is asked for. */
export async function listKeys({ context, query }: ApiCall): Promise<KeyList> {
  const { access, store, now } = context;
  const asked = new URLSearchParams(query);
  if (!['window', 'from', 'to'].some((name) => asked.has(name))) asked.set('window', '24h');
  const { window, span } = await askedWindow({ context, query: asked }, now());
  const { current } = await store.retention();
  const { from, to } = wholeHoursBefore(now() - current.rawHours * HOUR_MS, span);
  const used = await store.keyUsage(from, to);
  const usageOf = (id: number) => used.find((usage) => usage.apiKeyId === id) ?? NOTHING;
  return {
    window,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    shared: access.isShared,
    required: access.areKeysRequired(),
    required_because: requiredBecause(context),
    keys: access.keys
      .all()
      .map((key) => keyState(context, key, usageOf(key.id)))
      .toReversed(),
  };
}

/** In ms. Before `rawSince` there are only sums by the hour: an end that lies there is moved out to a whole one. */
function wholeHoursBefore(rawSince: number, { from, to }: Span): { readonly from: number; readonly to: number } {
  const [start, end] = [from * 1000, to * 1000];
  return {
    from: start < rawSince ? Math.floor(start / HOUR_MS) * HOUR_MS : start,
    to: end < rawSince ? Math.ceil(end / HOUR_MS) * HOUR_MS : end,
  };
}

/** Makes a key. Its secret is in this answer and nowhere else. */
export async function postKey(call: ApiCall): Promise<z.output<typeof madeKey>> {
  const { context } = call;
  const wish = await readJson(call.req, newKey);
  const expiresAt = wish.expires_at === null ? null : Date.parse(wish.expires_at);
  if (expiresAt !== null && expiresAt <= context.now()) {
    throw new ProblemError(400, 'Invalid request', 'expires_at is in the past.', 'expires_at');
  }
  const unknown = wish.models?.find((name) => context.registry.named(name) === null);
  if (unknown !== undefined) {
    throw new ProblemError(400, 'Invalid request', `There is no model "${unknown}".`, 'models');
  }
  const { key, secret } = await context.access.keys.make({
    name: wish.name,
    createdBy: actorOf(call.caller).actor,
    expiresAt,
    models: wish.models,
    requestsPerMinute: wish.requests_per_minute,
    concurrentRequests: wish.concurrent_requests,
  });
  call.note({ subject: key.name, after: keyFacts(key) });
  return { key: keyState(context, key, NOTHING), secret };
}

/** Revokes a key, for good. It stays in the list, since requests were made with it. */
export async function deleteKey(call: ApiCall): Promise<ApiKeyState> {
  const { context, params } = call;
  const key = context.access.keys.byId(Number(params.id));
  if (key === null) throw new ProblemError(404, 'No such key', `There is no key ${params.id}.`);
  if (key.revokedAt !== null) throw new ProblemError(409, 'Revoked already', `The key "${key.name}" was revoked.`);
  const revoked = await context.access.keys.revoke(key);
  call.note({ subject: key.name, before: keyFacts(key) });
  return keyState(context, revoked, NOTHING);
}

function requiredBecause({ access }: ApiContext): KeyList['required_because'] {
  if (!access.isLocal) return 'address';
  if (access.settings.requireKeys === 'always') return 'setting';
  // In a fleet also where all were revoked.
  return access.areKeysRequired() ? 'keys' : null;
}

/** What of a key may be written into the audit list. */
function keyFacts(key: ApiKey): Facts {
  return {
    prefix: key.prefix,
    expires_at: time(key.expiresAt),
    models: key.models,
    requests_per_minute: key.requestsPerMinute,
    concurrent_requests: key.concurrentRequests,
  };
}

function keyState(context: ApiContext, key: ApiKey, usage: Omit<KeyUsage, 'apiKeyId'>): ApiKeyState {
  const isExpired = key.expiresAt !== null && key.expiresAt <= context.now();
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    state: key.revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active',
    created_at: new Date(key.createdAt).toISOString(),
    created_by: key.createdBy,
    expires_at: time(key.expiresAt),
    revoked_at: time(key.revokedAt),
    last_used_at: time(context.access.keys.lastUsedAt(key.id)),
    models: key.models === null ? null : [...key.models],
    requests_per_minute: key.requestsPerMinute,
    concurrent_requests: key.concurrentRequests,
    usage: {
      requests: usage.requests,
      measured_requests: usage.measured,
      prompt_cached_tokens: usage.cachedTokens,
      prompt_computed_tokens: usage.computedTokens,
      completion_tokens: usage.completionTokens,
    },
  };
}

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
