import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { model as modelTable, request } from '#drizzle/schema.ts';
import { coded } from '#lib/contract/activity.ts';
import type { Connection } from './open.ts';
import type { Coded, RequestRow, RequestSearch } from './store.ts';

export type RequestFinder = {
  /** The requests that match; newest first where the search asks for no other order. */
  find(model: string | null, limit: number, search?: RequestSearch): readonly RequestRow[];
  /** The names of all clients in the table, in alphabetical order; at most 500. */
  clients(): readonly string[];
};

/** What the requests are ordered by, in milliseconds. */
const ORDERS = {
  newest: sql<number>`${request.finishedMs}`,
  slowest: sql<number>`${request.ttfbMs}`,
  longest: sql<number>`${request.finishedMs} - ${request.startedMs}`,
} as const;

/** The condition of the partial index `request_unwell`, word for word: SQLite takes the index for no other. */
const UNWELL = sql`(status >= 400 OR outcome <> 'ok')`;

/** Steps from name to name in the index on clients instead of reading every row. */
const CLIENTS = `
  WITH RECURSIVE one(name) AS (
    SELECT MIN(client) FROM request
    UNION ALL SELECT (SELECT MIN(client) FROM request WHERE client > one.name) FROM one WHERE one.name IS NOT NULL)
  SELECT name FROM one WHERE name IS NOT NULL LIMIT 500`;

export function createRequestSearch({ sqlite, orm }: Connection): RequestFinder {
  const names = sqlite.prepare<[], string>(CLIENTS).pluck();
  return {
    clients: () => names.all(),
    find: (model, limit, search = {}) =>
      requestQuery(orm, { model, limit, search, clients: search.client === undefined ? [] : names.all() })
        .all()
        .map(({ why, miss, ...row }) => ({ ...row, why: codedOf(why), miss: codedOf(miss) })),
  };
}

type Asked = {
  readonly model: string | null;
  readonly limit: number;
  readonly search: RequestSearch;
  /** All names of clients, where one is searched for. */
  readonly clients: readonly string[];
};

/** The statement of a search, not yet run. */
export function requestQuery(orm: Connection['orm'], { model, limit, search, clients }: Asked) {
  const { order = 'newest', from } = search;
  const by = ORDERS[order];
  return orm
    .select(COLUMNS)
    .from(request)
    .innerJoin(modelTable, eq(modelTable.id, request.modelId))
    .where(
      and(
        ...conditions(model, search, clients),
        order === 'slowest' ? isNotNull(request.ttfbMs) : undefined,
        from === undefined ? undefined : lte(by, from.value),
      ),
    )
    .orderBy(desc(by), desc(request.seq))
    .limit(limit)
    .offset(from?.skip ?? 0);
}

/**
 * SQLite keeps no statistics of these columns, and would take any index that fits. So one condition may use its index,
 * the one that leaves the fewest rows; a `+` keeps the others from theirs.
 */
function conditions(model: string | null, search: RequestSearch, clients: readonly string[]): (SQL | undefined)[] {
  const { session, ending, client, decision, replica, since } = search;
  const named = client === undefined ? [] : versionsOf(client, clients);
  const isRare = { session: session !== undefined, unwell: ending !== undefined && ending !== 'ok' };
  const byClient = named.length === 1 && !isRare.session && !isRare.unwell;
  const byDecision = decision !== undefined && !isRare.session && !isRare.unwell && !byClient;
  const isDriven = isRare.session || isRare.unwell || byClient || byDecision;
  return [
    ...(session === undefined ? [] : ofSession(session)),
    ...(ending === undefined ? [] : endsAs(ending)),
    client === undefined ? undefined : ofClients(named, byClient),
    decision === undefined
      ? undefined
      : byDecision
        ? eq(request.decision, decision)
        : eq(plus(request.decision), decision),
    replica === undefined ? undefined : replica === null ? isNull(request.replica) : eq(request.replica, replica),
    model === null ? undefined : isDriven ? eq(plus(request.modelId), idOf(model)) : eq(request.modelId, idOf(model)),
    since === undefined ? undefined : gte(request.finishedMs, Math.round(since)),
  ];
}

const plus = (column: typeof request.decision | typeof request.modelId | typeof request.client): SQL => sql`+${column}`;
const idOf = (name: string): SQL => sql`(SELECT id FROM model WHERE name = ${name})`;

/** 'g' follows all hex digits. */
function ofSession(beginning: string): SQL[] {
  return [gte(request.sessionHash, beginning), lt(request.sessionHash, `${beginning}g`)];
}

function endsAs(ending: NonNullable<RequestSearch['ending']>): SQL[] {
  if (ending === 'ok') return [sql`NOT ${UNWELL}`];
  if (typeof ending === 'number') return [...(ending < 400 ? [] : [UNWELL]), eq(request.status, ending)];
  return [UNWELL, ending === 'client_left' ? sql`outcome = 'client_left'` : sql`outcome <> 'client_left'`];
}

function ofClients(names: readonly string[], byIndex: boolean): SQL {
  const [only] = names;
  return byIndex && only !== undefined ? eq(request.client, only) : inArray(plus(request.client), names);
}

/** All known names of a program ("Claude Code" has one for each version), or the one that was asked for. */
function versionsOf(client: string, known: readonly string[]): string[] {
  return known.filter((name) => {
    const rest = name.startsWith(client) ? name.slice(client.length) : null;
    return rest === '' || (rest !== null && /^ \d/.test(rest));
  });
}

function codedOf(text: string | null): Coded | null {
  return text === null ? null : coded.parse(JSON.parse(text));
}

const COLUMNS = {
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
