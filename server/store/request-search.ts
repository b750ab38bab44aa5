import { eq, inArray } from 'drizzle-orm';
import { model as modelTable, request } from '#drizzle/schema.ts';
import { coded } from '#lib/contract/activity.ts';
import type { Connection } from './open.ts';
import { type Conditions, conditionsOf, type IndexedPart, versionsOf } from './request-conditions.ts';
import type { Coded, RequestPage, RequestRow, RequestSearch } from './store.ts';

export type RequestFinder = {
  /** The newest requests. */
  newest(model: string | null, limit: number): readonly RequestRow[];
  /** The requests that match, as far as one call looks. */
  find(model: string | null, limit: number, search: RequestSearch): RequestPage;
  /** The names of all clients in the table, in alphabetical order; at most 500. */
  clients(): readonly string[];
};

/**
 * One call looks at no more requests than this, so that the calls behind it wait for milliseconds however many requests
 * there are; a search that has to go on says where. As few as this are sorted, whatever the order asked for.
 */
const LOOKED_AT = 5_000;

/** What the requests are ordered by, in milliseconds, and the index that has them in that order. */
const ORDERS = {
  newest: { by: 'finished_ms', index: 'request_finished', condition: null },
  slowest: { by: 'ttfb_ms', index: 'request_ttfb', condition: 'ttfb_ms IS NOT NULL' },
  // Word for word as in the index.
  longest: { by: '(finished_ms - started_ms)', index: 'request_duration', condition: null },
} as const;

/** Steps from name to name in the index on clients instead of reading every row. */
const CLIENTS = `
  WITH RECURSIVE one(name) AS (
    SELECT MIN(client) FROM request
    UNION ALL SELECT (SELECT MIN(client) FROM request WHERE client > one.name) FROM one WHERE one.name IS NOT NULL)
  SELECT name FROM one WHERE name IS NOT NULL LIMIT 500`;

/** A request by the place that it has in the order asked for; `matches` is null where a column in the condition is. */
type Candidate = { readonly seq: number; readonly value: number; readonly matches: number | null };
type Found = { readonly found: readonly Candidate[]; readonly goOnBehind: Candidate | null };

export function createRequestSearch({ sqlite, orm }: Connection): RequestFinder {
  const names = sqlite.prepare<[], string>(CLIENTS).pluck();
  const modelIdOf = sqlite.prepare<[string], number>('SELECT id FROM model WHERE name = ?').pluck();

  function find(model: string | null, limit: number, search: RequestSearch): RequestPage {
    const modelId = model === null ? null : (modelIdOf.get(model) ?? NONE);
    const clients = search.client === undefined ? [] : versionsOf(search.client, names.all());
    if (modelId === NONE || (search.client !== undefined && clients.length === 0)) return { rows: [], next: null };
    const conditions = conditionsOf({ modelId, search, clients });
    // One more than asked for tells whether there is a page behind this one.
    const { found, goOnBehind } = candidates(conditions, search, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : goOnBehind;
    return { rows: rowsOf(page), next: last ? { value: last.value, seq: last.seq } : null };
  }

  /** Sorts where some condition leaves few; else reads in order, and tells of each request whether it matches. */
  function candidates(conditions: Conditions, search: RequestSearch, limit: number): Found {
    const { order = 'newest' } = search;
    const inOrder = readInOrder(conditions, order);
    const rest = conditions.indexed.filter((part) => part.index !== inOrder.index).length + conditions.others.length;
    const isPlain = rest === 0 && (order === 'newest' || search.since === undefined);
    const few = isPlain ? undefined : fewest(conditions, search);
    return few === undefined ? stream(inOrder, conditions, search, limit) : sorted(few, conditions, search, limit);
  }

  function fewest({ indexed }: Conditions, { since }: RequestSearch): IndexedPart | undefined {
    const sinceThen = since === undefined ? [] : [{ ...WITHOUT_CONDITION, sql: 'finished_ms >= ?', values: [since] }];
    return [...indexed, ...sinceThen].find(({ index, sql, values }) => {
      const count = `SELECT COUNT(*) FROM (SELECT 1 FROM request INDEXED BY ${index} WHERE ${sql} LIMIT ${LOOKED_AT})`;
      return (
        (sqlite
          .prepare<unknown[], number>(count)
          .pluck()
          .get(...values) ?? 0) < LOOKED_AT
      );
    });
  }

  function sorted(by: IndexedPart, conditions: Conditions, search: RequestSearch, limit: number): Found {
    const order = ORDERS[search.order ?? 'newest'];
    const parts = [by, ...[...conditions.indexed, ...conditions.others].filter((part) => part !== by)];
    const { sql, values } = allOf([...parts, ...placeOf(search), ...timeOf(search)]);
    // A `+` keeps SQLite from looking for another index to sort by.
    const found = sqlite
      .prepare<unknown[], Candidate>(
        `SELECT seq, ${order.by} AS value, 1 AS matches FROM request INDEXED BY ${by.index} WHERE ${sql}
         ORDER BY +${order.by} DESC, seq DESC LIMIT ?`,
      )
      .all(...values, limit);
    return { found, goOnBehind: null };
  }

  function stream(by: IndexedPart, conditions: Conditions, search: RequestSearch, limit: number): Found {
    const { order = 'newest' } = search;
    const rest = [...conditions.indexed.filter((part) => part.index !== by.index), ...conditions.others];
    const inTime = timeOf(search);
    const matches = allOf(order === 'newest' ? rest : [...rest, ...inTime]);
    const { sql, values } = allOf([by, ...placeOf(search), ...(order === 'newest' ? inTime : [])]);
    const statement = sqlite.prepare<unknown[], Candidate>(
      `SELECT seq, ${ORDERS[order].by} AS value, ${matches.sql} AS matches FROM request INDEXED BY ${by.index} WHERE ${sql}
       ORDER BY ${ORDERS[order].by} DESC, seq DESC LIMIT ${LOOKED_AT}`,
    );
    const found: Candidate[] = [];
    let looked = 0;
    for (const candidate of statement.iterate(...matches.values, ...values)) {
      looked += 1;
      if (candidate.matches === 1) found.push(candidate);
      if (found.length === limit) return { found, goOnBehind: candidate };
      if (looked === LOOKED_AT) return { found, goOnBehind: candidate };
    }
    return { found, goOnBehind: null };
  }

  function rowsOf(page: readonly Candidate[]): readonly RequestRow[] {
    if (page.length === 0) return [];
    const wanted = page.map(({ seq }) => seq);
    const rows = orm
      .select(COLUMNS)
      .from(request)
      .innerJoin(modelTable, eq(modelTable.id, request.modelId))
      .where(inArray(request.seq, wanted))
      .all();
    const bySeq = new Map(
      rows.map(({ seq, why, miss, ...row }) => [seq, { ...row, why: codedOf(why), miss: codedOf(miss) }] as const),
    );
    return wanted.flatMap((seq) => bySeq.get(seq) ?? []);
  }

  return {
    find,
    newest: (model, limit) => find(model, limit, {}).rows,
    clients: () => names.all(),
  };
}

const NONE = -1;
const WITHOUT_CONDITION = { index: ORDERS.newest.index, isNewestFirst: true, sql: 'true', values: [] } as const;

/** The index that has the requests in the order asked for, with the condition that it answers as well. */
function readInOrder({ indexed }: Conditions, order: keyof typeof ORDERS): IndexedPart {
  const { index, condition } = ORDERS[order];
  if (order !== 'newest') return { ...WITHOUT_CONDITION, index, sql: condition ?? 'true' };
  return indexed.find(({ isNewestFirst }) => isNewestFirst) ?? WITHOUT_CONDITION;
}

type Part = Pick<IndexedPart, 'sql' | 'values'>;

function timeOf({ since }: RequestSearch): readonly Part[] {
  return since === undefined ? [] : [{ sql: 'finished_ms >= ?', values: [Math.round(since)] }];
}

/** Behind the place where the page before ended. */
function placeOf({ order = 'newest', from }: RequestSearch): readonly Part[] {
  const { by, condition } = ORDERS[order];
  const ordered = condition === null ? [] : [{ sql: condition, values: [] }];
  if (from === undefined) return ordered;
  const { value, seq } = from;
  return [...ordered, { sql: `${by} <= ? AND (${by} < ? OR seq < ?)`, values: [value, value, seq] }];
}

function allOf(parts: readonly Part[]): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const sql = parts.map((part) => `(${part.sql})`).join(' AND ') || '1';
  return { sql, values: parts.flatMap(({ values }) => values) };
}

function codedOf(text: string | null): Coded | null {
  return text === null ? null : coded.parse(JSON.parse(text));
}

const COLUMNS = {
  seq: request.seq,
  id: request.id,
  model: modelTable.name,
  startedAt: request.startedMs,
  finishedAt: request.finishedMs,
  path: request.path,
  client: request.client,
  sessionHash: request.sessionHash,
  sessionSource: request.sessionSource,
  replica: request.replica,
  decision: request.decision,
  reason: request.reason,
  why: request.why,
  miss: request.miss,
  promptTokens: request.promptTokens,
  cachedTokens: request.cachedTokens,
  completionTokens: request.completionTokens,
  ttfbMs: request.ttfbMs,
  status: request.status,
  outcome: request.outcome,
  apiKeyId: request.apiKeyId,
  queuedMs: request.queuedMs,
  displaced: request.displaced,
};
