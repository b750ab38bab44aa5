import { describe, expect, it } from 'vitest';
import type { RequestHeaders } from './request-headers.ts';
import { type SessionSignals, sessionId } from './session-key.ts';

const UUID = 'd6a8e77c-14c6-4f80-bbce-eb57212a9d67';

function signals(headers: RequestHeaders, body: Partial<SessionSignals['body']> = {}): SessionSignals {
  const empty = {
    metadataUserId: null,
    promptCacheKey: null,
    user: null,
  };
  return { headers, body: { ...empty, ...body } };
}

describe('the order of the signals', () => {
  it('takes the first that is there', () => {
    const headers: Record<string, string> = {
      'x-team-conversation': 'conversation-0',
      'x-claude-code-session-id': UUID,
      'thread-id': 'thread-id-0',
      'session-id': 'session-id-0',
      session_id: 'session_id_0',
      conversation_id: 'conversation_id_0',
      'x-session-affinity': 'affinity-0',
      'x-session-id': 'x-session-0',
      'x-opencode-session': 'ses_00000000',
      'x-client-request-id': 'request-0',
      'user-agent': 'codex_exec/0.171.0 (Debian)',
    };
    const body = {
      metadataUserId: 'user-id-0',
      promptCacheKey: 'cache-key-0',
      user: 'somebody-0',
    };
    const found: string[] = [];
    for (;;) {
      const source = sessionId(signals(headers, body), ['X-Team-Conversation'])?.source ?? 'none';
      found.push(source);
      if (!(source in headers)) break;
      delete headers[source];
    }
    expect(found).toEqual([
      'x-team-conversation',
      'x-claude-code-session-id',
      'thread-id',
      'session-id',
      'session_id',
      'conversation_id',
      'x-session-affinity',
      'x-session-id',
      'x-opencode-session',
      'metadata.user_id',
    ]);
    expect(sessionId(signals(headers, { ...body, metadataUserId: null }))?.source).toBe('prompt_cache_key');
    const rest = { ...body, metadataUserId: null, promptCacheKey: null };
    expect(sessionId(signals(headers, rest))?.source).toBe('x-client-request-id');
    delete headers['x-client-request-id'];
    expect(sessionId(signals(headers, rest))?.source).toBe('user');
    expect(sessionId(signals(headers, { ...rest, user: null }))).toBeNull();
  });

  it('tells a subagent of Claude Code from its parent', () => {
    const headers = { 'x-claude-code-session-id': UUID, 'x-claude-code-agent-id': 'a97611936aa0d9dc3' };
    expect(sessionId(signals(headers))).toEqual({
      value: `${UUID}/a97611936aa0d9dc3`,
      source: 'x-claude-code-agent-id',
    });
    expect(sessionId(signals({ 'x-claude-code-agent-id': 'a97611936aa0d9dc3' }))).toBeNull();
  });

  it('believes x-client-request-id of Codex and pi only', () => {
    const source = (agent: string) =>
      sessionId(signals({ 'user-agent': agent, 'x-client-request-id': UUID }))?.source ?? null;
    expect(['codex_cli_rs/0.98.0', 'pi/1.6.0 (linux)', 'OpenAI/JS 7.59.0', 'pip/25.0'].map(source)).toEqual([
      'x-client-request-id',
      'x-client-request-id',
      null,
      null,
    ]);
  });
});

describe('what counts as an id', () => {
  it.each([
    ['seven characters', '1234567'],
    ['257 characters', 'x'.repeat(257)],
    ['a mail address', 'somebody@example.org'],
    ['two header lines joined', 'session-a, session-b'],
    ['a path', '/home/project'],
    ['a line break', 'session-a\nb'],
  ])('goes on to the next signal over %s', (_, value) => {
    const headers = { 'thread-id': value, 'session-id': 'session-id-0' };
    expect(sessionId(signals(headers))?.source).toBe('session-id');
  });

  it('takes 8 to 256 letters, digits and _ . : -', () => {
    for (const value of ['12345678', 'Ab_.:-09', 'x'.repeat(256)]) {
      expect(sessionId(signals({ 'thread-id': value }))?.value).toBe(value);
    }
    expect(sessionId(signals({ 'thread-id': ['first-id-0', 'second-id-0'] }))?.value).toBe('first-id-0');
  });

  it('does not mistake an inherited property for a header', () => {
    expect(sessionId(signals({}), ['constructor', '__proto__'])).toBeNull();
  });
});

describe('metadata.user_id', () => {
  const value = (metadataUserId: string) => sessionId(signals({}, { metadataUserId }))?.value ?? null;

  it('gives the session of either of the forms of Claude Code', () => {
    const device = '9eaa8dce3480cdb7ff798f64b471c7f08a78be4c8cef69797e284b1430e415f6';
    expect(value(`{"device_id":"${device}","account_uuid":"","session_id":"${UUID}"}`)).toBe(UUID);
    expect(value(`user_${device}_account__session_${UUID}`)).toBe(UUID);
    expect(value(`user_${device}_account_${UUID.replace('d', 'e')}_session_${UUID}`)).toBe(UUID);
  });

  it('is taken as it is where it looks like an id, and left where it does not', () => {
    expect(value('customer-4711')).toBe('customer-4711');
    expect(value('{"session_id":17}')).toBeNull();
    expect(value('{"session_id":')).toBeNull();
    expect(value('Some Body')).toBeNull();
  });
});
