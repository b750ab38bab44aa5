import { expect, it } from 'vitest';
import type { SessionList } from '#lib/contract/activity.ts';
import { perHome } from './per-home.ts';

it('counts sessions and adds up known contexts per model and replica', () => {
  const homes = perHome([session('b', 1, 500), session('a', 2, null), session('a', 0, 100), session('a', 0, 250)]);
  expect(homes).toEqual([
    { model: 'a', replica: 0, sessions: 2, contextTokens: 350 },
    { model: 'a', replica: 2, sessions: 1, contextTokens: null },
    { model: 'b', replica: 1, sessions: 1, contextTokens: 500 },
  ]);
});

it('does not let an unknown context count as 0 of a known sum', () => {
  expect(perHome([session('a', 0, null), session('a', 0, 40)])[0]?.contextTokens).toBe(40);
});

function session(model: string, home: number, contextTokens: number | null): SessionList['sessions'][number] {
  return {
    model,
    home,
    context_tokens: contextTokens,
    key: 'abc',
    source: 'x-session-id',
    client: null,
    turns: 1,
    last_hit_percent: null,
    last_miss: null,
    last_miss_code: null,
    spills: 0,
    in_flight: 0,
    held_seconds: null,
    queue_position: null,
    expected_wait_seconds: null,
    displaced: 0,
    last_decision: null,
    last_seen: '2026-11-30T12:00:00Z',
  };
}
