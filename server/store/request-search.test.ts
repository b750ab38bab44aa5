import { describe, expect, it } from 'vitest';
import { requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';
import type { RequestRow, RequestSearch } from './store.ts';

const NOW = 1_800_000_000_000;

function stored(...rows: Partial<RequestRow>[]) {
  const made = temporaryDatabase();
  write(made.database, {
    requests: rows.map((row, index) => requestRow({ id: String(index), finishedAt: NOW + index, ...row })),
  });
  return made;
}

describe('a search for requests', () => {
  const rows: Partial<RequestRow>[] = [
    { decision: 'placed', client: 'Claude Code 2.1.100', replica: 0 },
    { decision: 'sticky', client: 'Claude Code 2.1.332', replica: 1, sessionHash: 'aa11bb' },
    { decision: 'unrouted', client: 'Claude Codex', replica: null, sessionHash: 'aa12cc' },
    { decision: 'sticky', client: null, status: 503, outcome: 'ok' },
    { decision: 'sticky', client: 'curl', outcome: 'client_left', model: 'llama' },
    { decision: 'failed_over', client: 'curl', status: 200, outcome: 'upstream_failed' },
  ];

  it.each<[string, RequestSearch, string[]]>([
    ['a decision', { decision: 'sticky' }, ['4', '3', '1']],
    ['a replica', { replica: 0 }, ['0']],
    ['the choice of the engine', { replica: null }, ['2']],
    ['a client and its version', { client: 'Claude Code 2.1.332' }, ['1']],
    ['all versions of a client, and not another one whose name begins alike', { client: 'Claude Code' }, ['1', '0']],
    ['a client that never came', { client: 'Claude' }, []],
    ['the beginning of a session key', { session: 'aa1' }, ['2', '1']],
    ['a whole session key', { session: 'aa12cc' }, ['2']],
    ['what ended well', { ending: 'ok' }, ['2', '1', '0']],
    ['what failed', { ending: 'failed' }, ['5', '3']],
    ['whose client left', { ending: 'client_left' }, ['4']],
    ['a status', { ending: 503 }, ['3']],
    ['a status that is no error', { ending: 200 }, ['5', '4', '2', '1', '0']],
    ['what finished since', { since: NOW + 4 }, ['5', '4']],
    ['several things at once', { decision: 'sticky', ending: 'failed', client: 'curl' }, []],
    ['several things that one has', { decision: 'failed_over', ending: 'failed', client: 'curl' }, ['5']],
  ])('finds by %s', (_, search, ids) => {
    expect(
      stored(...rows)
        .database.findRequests(null, 10, search)
        .rows.map((row) => row.id),
    ).toEqual(ids);
  });

  it('stays within a model', () => {
    expect(
      stored(...rows)
        .database.findRequests('llama', 10, { client: 'curl' })
        .rows.map((row) => row.id),
    ).toEqual(['4']);
    expect(stored(...rows).database.findRequests('none', 10, { client: 'curl' }).rows).toEqual([]);
  });

  it('gives the slowest by first byte, without those that sent none, and the longest by the whole', () => {
    const { database } = stored(
      { ttfbMs: 100, startedAt: NOW - 9000 },
      { ttfbMs: 900, startedAt: NOW - 1000 },
      { ttfbMs: null, startedAt: NOW - 5000 },
    );
    const ids = (order: 'slowest' | 'longest') => database.findRequests(null, 10, { order }).rows.map((row) => row.id);
    expect(ids('slowest')).toEqual(['1', '0']);
    expect(ids('longest')).toEqual(['0', '2', '1']);
  });

  it.each(['newest', 'slowest', 'longest'] as const)('pages through all of them, %s first, none twice', (order) => {
    const many = Array.from({ length: 23 }, (_, index) => ({
      finishedAt: NOW + Math.floor(index / 6),
      startedAt: NOW - Math.floor(index / 5),
      ttfbMs: Math.floor(index / 7),
    }));
    const { database } = stored(...many);
    const seen: RequestRow[] = [];
    let from: RequestSearch['from'];
    for (let pages = 0; pages < 6; pages += 1) {
      const { rows, next } = database.findRequests(null, 4, { order, ...(from === undefined ? {} : { from }) });
      seen.push(...rows);
      expect(next === null).toBe(pages === 5);
      from = next ?? undefined;
    }
    const value = (row: RequestRow) =>
      order === 'newest' ? row.finishedAt : order === 'slowest' ? (row.ttfbMs ?? 0) : row.finishedAt - row.startedAt;
    expect(seen.map(value)).toEqual(seen.map(value).toSorted((a, b) => b - a));
    expect(seen).toHaveLength(23);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(23);
  });
});

it('lists each client once, in alphabetical order', () => {
  const { database } = stored({ client: 'curl' }, { client: null }, { client: 'Codex 1' }, { client: 'curl' });
  expect(database.requestClients()).toEqual(['Codex 1', 'curl']);
});

it('lists no client where there is no request', () => {
  expect(temporaryDatabase().database.requestClients()).toEqual([]);
});

it('gives back the codes beside the sentences, and none where a value was too long to keep', () => {
  const miss = { code: 'evicted', values: { replica: 1, gap_seconds: 12.5 } };
  const { database } = stored({ miss }, { why: { code: 'cannot_be_pinned', values: { why: 'x'.repeat(600) } } });
  const [second, first] = database.requests(null, 2);
  expect(first).toMatchObject({ miss, why: { code: 'at_home' } });
  expect(second).toMatchObject({ miss: null, why: null });
});
