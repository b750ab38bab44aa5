import { describe, expect, it } from 'vitest';
import { type RequestShape, sideRequest } from './side-request.ts';

const CLAUDE_CODE = 'claude-cli/2.1.332 (external, cli)';

function shape(changes: Partial<RequestShape>): RequestShape {
  return {
    path: 'messages',
    userAgent: CLAUDE_CODE,
    headers: {},
    toolCount: 12,
    hasStreamKey: true,
    hasOutputFormat: false,
    maxTokens: 32_000,
    ...changes,
  };
}

describe('a side request', () => {
  it.each([
    ['a token count', { path: 'count_tokens', userAgent: 'curl/8' }, 'count_tokens'],
    ['a request for a title', { toolCount: 0, hasOutputFormat: true }, 'title'],
    ['an old background request', { toolCount: 0 }, 'background'],
    ['the classifier', { toolCount: null, hasStreamKey: false, maxTokens: 64 }, 'classifier'],
    ['a warm-up', { maxTokens: 1 }, 'warm-up'],
    ["opencode's title", { userAgent: 'opencode/1.18.33', path: 'chat', toolCount: null }, 'title'],
    ['what calls itself auxiliary', { headers: { 'x-claude-code-request-class': 'auxiliary' } }, 'auxiliary'],
    ['a side reply', { headers: { 'x-claude-code-request-class': 'side_reply' } }, 'side_reply'],
  ] as const)('is %s', (_, changes, reason) => {
    expect(sideRequest(shape(changes))).toBe(reason);
  });

  it('is named by its shape where it only calls itself auxiliary', () => {
    const headers = { 'x-claude-code-request-class': 'auxiliary' };
    expect(sideRequest(shape({ headers, toolCount: 0, hasOutputFormat: true }))).toBe('title');
  });
});

describe('a turn', () => {
  it('is what says so, whatever it looks like', () => {
    for (const requestClass of ['main', 'subagent', 'compaction', 'workflow']) {
      const headers = { 'x-claude-code-request-class': requestClass };
      expect(sideRequest(shape({ headers, toolCount: null, hasStreamKey: false, maxTokens: 1 }))).toBeNull();
    }
  });

  it('is what an agent sends with tools', () => {
    expect(sideRequest(shape({}))).toBeNull();
    expect(sideRequest(shape({ headers: { 'x-claude-code-request-class': 'something new' } }))).toBeNull();
    expect(sideRequest(shape({ userAgent: 'opencode/1.18.33', path: 'chat', toolCount: 10 }))).toBeNull();
  });

  it('is whatever an unknown client sends, without tools and with a session id too', () => {
    const headers = { 'x-claude-code-session-id': 'd6a8e77c-14c6-4f80-bbce-eb57212a9d67' };
    for (const userAgent of [null, 'curl/8.14.1', 'Anthropic/JS 1.14.0', 'codex_exec/0.171.0', 'pi/1.6.0']) {
      const bare = { headers, toolCount: null, hasStreamKey: false, hasOutputFormat: true, maxTokens: 1 };
      expect(sideRequest(shape({ userAgent, ...bare }))).toBeNull();
    }
  });
});
