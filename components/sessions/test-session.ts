import type { SessionEntry } from '#lib/contract/activity.ts';

/** A session for this folder's tests: an ordinary one, with what the test is about changed. */
export function testSession(changes: Partial<SessionEntry> = {}): SessionEntry {
  return {
    model: 'a',
    key: 'abcabcabcabc',
    source: 'x-session-id',
    client: null,
    home: 0,
    turns: 1,
    context_tokens: null,
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
    ...changes,
  };
}
