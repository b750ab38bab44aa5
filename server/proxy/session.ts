import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { presentedKey } from '#lib/access/key-format.ts';
import type { Endpoint } from '#lib/engine/endpoints.ts';
import { sessionId } from '#lib/routing/session-key.ts';
import { sideRequest } from '#lib/routing/side-request.ts';
import type { SessionKey } from '#lib/routing/types.ts';
import type { RequestFacts } from './request-facts.ts';

const KEY_HEX_DIGITS = 32;

/** Marks what belongs to one client and one model; the client's own key is part of it, hashed. */
export function sessionScope(model: string, headers: IncomingHttpHeaders): string {
  return hash('sha256', `${model}\0${presentedKey(headers) ?? ''}`).slice(0, KEY_HEX_DIGITS);
}

/**
 * The key of the conversation whose id the request carries: 128 bits of a hash over the scope and the id, so that no raw
 * id is ever stored or logged, and no client can aim at another's conversation. Null where it carries none.
 */
export function sessionKey(
  scope: string,
  headers: IncomingHttpHeaders,
  facts: RequestFacts,
  configuredHeaders: readonly string[],
): SessionKey | null {
  const { metadataUserId, promptCacheKey, user } = facts;
  const body = { metadataUserId, promptCacheKey, user };
  const id = sessionId({ headers, body }, configuredHeaders);
  if (id === null) return null;
  return { hash: hash('sha256', `${scope}\0${id.value}`).slice(0, KEY_HEX_DIGITS), source: id.source };
}

/** Why a request is no part of its conversation, or null. */
export function sideReason(endpoint: Endpoint, headers: IncomingHttpHeaders, facts: RequestFacts): string | null {
  return sideRequest({
    path: endpoint.path === '/v1/messages/count_tokens' ? 'count_tokens' : endpoint.api,
    userAgent: headers['user-agent'] ?? null,
    headers,
    toolCount: facts.toolCount,
    hasStreamKey: facts.hasStreamKey,
    hasOutputFormat: facts.hasOutputFormat,
    maxTokens: facts.maxTokens,
  });
}
