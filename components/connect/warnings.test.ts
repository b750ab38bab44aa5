import { describe, expect, it } from 'vitest';
import type { ConnectFacts } from '#lib/contract/connect.ts';
import { clientWarnings, contextWarning } from './warnings.ts';

describe('the context of a model', () => {
  it.each([
    ['claude-code', 32_768, 65_536],
    ['claude-code', 65_536, null],
    ['codex', 16_384, 32_768],
    ['opencode', 32_768, null],
    ['claude-code', null, null],
    ['curl', 512, null],
  ] as const)('is told to %s at %s tokens: %s', (client, has, least) => {
    expect(contextWarning(client, has)?.least ?? null).toBe(least);
  });
});

describe('a client that came lately', () => {
  const facts = (one: Partial<ConnectFacts['clients'][number]>, pins_billing_line = false): ConnectFacts => ({
    model: 'm',
    max_model_len: null,
    key_required: false,
    takes_claude_names: false,
    pins_billing_line,
    clients: [
      {
        client: 'Claude Code 2.1.160',
        last_seen: '2026-11-30T12:00:00Z',
        troubles: ['line_per_request', 'system_entries'],
        changed_prefix: 0,
        turns: 20,
        ...one,
      },
    ],
  });

  it('is warned of where its version is known to spoil its prefix and nothing mends it', () => {
    expect(clientWarnings('claude-code', facts({}))).toMatchObject([{ code: 'linePerRequest' }]);
    expect(clientWarnings('claude-code', facts({ troubles: ['line_per_conversation'] }))).toMatchObject([
      { code: 'linePerConversation' },
    ]);
    expect(clientWarnings('claude-code', facts({}, true))).toEqual([]);
  });

  it('is warned of where it was seen changing its prefix often, whatever is known of it', () => {
    const seen = { client: 'Codex 9', troubles: [], changed_prefix: 5 };
    expect(clientWarnings('codex', facts(seen, true))).toMatchObject([
      { code: 'changedPrefix', changed: '5', turns: 20 },
    ]);
    expect(clientWarnings('codex', facts({ ...seen, changed_prefix: 4 }))).toEqual([]);
    expect(clientWarnings('codex', facts({ ...seen, changed_prefix: 2, turns: 2 }))).toEqual([]);
  });

  it('is warned of only beside its own instructions', () => {
    expect(clientWarnings('codex', facts({}))).toEqual([]);
  });
});
