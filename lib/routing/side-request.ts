import { agentOf } from './client.ts';
import { headerValue, type RequestHeaders } from './request-headers.ts';
import type { ApiKind } from './types.ts';

/** What tells a side request from a turn. `toolCount` and `maxTokens` are null where the body has no such field. */
export type RequestShape = {
  readonly path: ApiKind | 'count_tokens';
  readonly userAgent: string | null;
  readonly headers: RequestHeaders;
  readonly toolCount: number | null;
  readonly hasStreamKey: boolean;
  /** `output_config.format`: the answer has to fit a JSON schema. */
  readonly hasOutputFormat: boolean;
  readonly maxTokens: number | null;
};

/** Values of `x-claude-code-request-class`, which Claude Code sends where its user has asked for it. */
const SIDE_CLASSES: ReadonlySet<string> = new Set(['auxiliary', 'side_reply']);
const TURN_CLASSES: ReadonlySet<string> = new Set(['main', 'subagent', 'compaction', 'workflow']);

/**
 * Why a request is no part of its conversation, in a word for a person (`title`, `classifier`, `count_tokens`, …);
 * null for a turn. Agents send such requests under the session id of the conversation, often just before its first
 * turn. Only requests of agents known to do so are judged by their shape: anybody else's without tools is a turn.
 */
export function sideRequest(shape: RequestShape): string | null {
  if (shape.path === 'count_tokens') return 'count_tokens';
  const requestClass = headerValue(shape.headers, 'x-claude-code-request-class');
  if (requestClass !== null && TURN_CLASSES.has(requestClass)) return null;
  const reason = reasonByShape(shape);
  return requestClass !== null && SIDE_CLASSES.has(requestClass) ? (reason ?? requestClass) : reason;
}

function reasonByShape(shape: RequestShape): string | null {
  const hasTools = shape.toolCount !== null && shape.toolCount > 0;
  const agent = agentOf(shape.userAgent);
  if (agent === 'opencode') return hasTools ? null : 'title';
  if (agent !== 'claude-code') return null;
  if (shape.maxTokens !== null && shape.maxTokens <= 1) return 'warm-up';
  // Structured output may be asked of a main turn too (`claude -p --json-schema`): that one has tools.
  if (hasTools) return null;
  if (shape.hasOutputFormat) return 'title';
  return shape.hasStreamKey ? 'background' : 'classifier';
}
