import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '#lib/engine/endpoints.ts';
import { sessionId } from '#lib/routing/session-key.ts';
import { sideRequest } from '#lib/routing/side-request.ts';
import type { SessionKey } from '#lib/routing/types.ts';
import { clientKey } from './headers.ts';
import type { RequestFacts } from './request-facts.ts';

const KEY_HEX_DIGITS = 32;

/**
 * A conversation's key: 128 bits of a hash over the model, the client's own key and the id, so that no raw id is ever
 * stored or logged, and no client can aim at another's conversation.
 */
export function sessionKey(
  model: string,
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  facts: RequestFacts,
  configuredHeaders: readonly string[],
): SessionKey | null {
  const body = {
    api: endpoint.api,
    metadataUserId: facts.metadataUserId,
    promptCacheKey: facts.promptCacheKey,
    user: facts.user,
    // The content stands in only where there is no id; asking for it costs a look into the messages.
    firstUserMessage: null,
  };
  const id =
    sessionId({ headers, body }, configuredHeaders) ??
    sessionId({ headers, body: { ...body, firstUserMessage: facts.firstUserMessage() } }, configuredHeaders);
  if (id === null) return null;
  const digest = hash('sha256', `${model}\0${clientKey(headers) ?? ''}\0${id.value}\0`);
  return { hash: digest.slice(0, KEY_HEX_DIGITS), source: id.source };
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
