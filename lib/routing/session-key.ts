import { agentOf } from './client.ts';
import { headerValue, type RequestHeaders } from './request-headers.ts';

/** What a request says of its conversation. Body fields are null where absent or not a string. */
export type SessionSignals = {
  readonly headers: RequestHeaders;
  readonly body: {
    readonly metadataUserId: string | null;
    readonly promptCacheKey: string | null;
    readonly user: string | null;
  };
};

/** `source`: the header or body field that it came from, in lower case. The value is raw: hash it, never show it. */
export type SessionId = { readonly value: string; readonly source: string };

/** Opaque and of a length that can tell conversations apart; it keeps out names, mail addresses and sentences. */
const ID = /^[A-Za-z0-9_.:-]{8,256}$/;

const UUID_SUFFIX = /_session_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Headers that name a conversation, those of one linear history first: Codex' `thread-id` differs between a session
 * and its subagents, which share everything else. The rest: older Codex, pi, opencode, Crush.
 */
const CONVERSATION_HEADERS = [
  'thread-id',
  'session-id',
  'session_id',
  'conversation_id',
  'x-session-affinity',
  'x-session-id',
  'x-opencode-session',
] as const;

/**
 * The conversation that a request belongs to, from the first signal that is there and looks like an id; null where
 * there is none. `configuredHeaders` are the operator's own, and come first.
 */
export function sessionId(request: SessionSignals, configuredHeaders: readonly string[] = []): SessionId | null {
  const { headers, body } = request;
  return (
    fromHeaders(headers, configuredHeaders) ??
    fromClaudeCode(headers) ??
    fromHeaders(headers, CONVERSATION_HEADERS) ??
    identified(body.metadataUserId === null ? null : sessionOfUserId(body.metadataUserId), 'metadata.user_id') ??
    identified(body.promptCacheKey, 'prompt_cache_key') ??
    fromRequestId(headers) ??
    identified(body.user, 'user')
  );
}

function fromHeaders(headers: RequestHeaders, names: readonly string[]): SessionId | null {
  for (const name of names) {
    const source = name.toLowerCase();
    const id = identified(headerValue(headers, source), source);
    if (id !== null) return id;
  }
  return null;
}

/** Claude Code's subagents share the session id with their parent, and not a token of its prompt. */
function fromClaudeCode(headers: RequestHeaders): SessionId | null {
  const session = identified(headerValue(headers, 'x-claude-code-session-id'), 'x-claude-code-session-id');
  if (session === null) return null;
  const agent = identified(headerValue(headers, 'x-claude-code-agent-id'), 'x-claude-code-agent-id');
  return agent === null ? session : { value: `${session.value}/${agent.value}`, source: agent.source };
}

/** Codex and pi put the conversation here; elsewhere the same header is new with each request. */
function fromRequestId(headers: RequestHeaders): SessionId | null {
  const agent = agentOf(headerValue(headers, 'user-agent'));
  if (agent !== 'codex' && agent !== 'pi') return null;
  return identified(headerValue(headers, 'x-client-request-id'), 'x-client-request-id');
}

/** `metadata.user_id` of Claude Code: JSON since 2.1.80, before that `user_<hash>_account_<uuid>_session_<uuid>`. */
function sessionOfUserId(userId: string): string {
  if (userId.startsWith('{')) return sessionOfJson(userId) ?? userId;
  return UUID_SUFFIX.exec(userId)?.[1] ?? userId;
}

function sessionOfJson(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('session_id' in parsed)) return null;
    return typeof parsed.session_id === 'string' ? parsed.session_id : null;
  } catch {
    // Not JSON after all: the client's own text, which the caller judges as it stands.
    return null;
  }
}

function identified(value: string | null, source: string): SessionId | null {
  return value !== null && ID.test(value) ? { value, source } : null;
}
