import { expect, it } from 'vitest';
import type { SessionEntry } from '#lib/contract/activity.ts';
import { choicesOf, filterSessions, type SessionFilter, stateOf } from './session-filter.ts';
import { testSession } from './test-session.ts';

const ALL: SessionFilter = { q: '', client: null, source: null, home: null, state: null };

const sessions: SessionEntry[] = [
  testSession({ key: 'aaa', client: 'Claude Code 2.1.332', home: 2, in_flight: 1 }),
  testSession({ key: 'bbb', client: 'Claude Code 2.1.86', home: 0, source: 'thread-id' }),
  testSession({ key: 'ccc', client: null, home: null, held_seconds: 3, in_flight: 1 }),
];

const found = (filter: Partial<SessionFilter>) =>
  filterSessions(sessions, { ...ALL, ...filter })
    .map(({ key }) => key)
    .join(' ');

it('leaves all sessions where nothing is asked for', () => {
  expect(found({})).toBe('aaa bbb ccc');
});

it.each<[Partial<SessionFilter>, string]>([
  [{ q: 'CLAUDE 86' }, 'bbb'],
  [{ q: 'ccc' }, 'ccc'],
  [{ client: 'Claude Code' }, 'aaa bbb'],
  [{ client: 'Claude Code 2.1.332' }, 'aaa'],
  [{ source: 'thread-id' }, 'bbb'],
  [{ home: 0 }, 'bbb'],
  [{ state: 'held' }, 'ccc'],
  [{ state: 'active' }, 'aaa'],
  [{ state: 'idle' }, 'bbb'],
  [{ state: 'idle', home: 2 }, ''],
])('narrows by %j', (filter, keys) => {
  expect(found(filter)).toBe(keys);
});

it('calls a session held also where its held turn counts as in flight', () => {
  expect(sessions.map(stateOf)).toEqual(['active', 'idle', 'held']);
});

it('offers the homes and sources that there are, each once', () => {
  expect(choicesOf(sessions)).toMatchObject({ homes: [0, 2], sources: ['thread-id', 'x-session-id'] });
});
