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
  // Word for word as in the index `request_duration`.
  longest: sql<number>`finished_ms - started_ms`,
} as const;

/** The condition of the partial index `request_unwell`, word for word: SQLite takes the index for no other. */
const UNWELL = sql`(status >= 400 OR outcome <> 'ok')`;

/** Steps from name to name in the index on clients instead of reading every row. */
const CLIENTS = `
  WITH RECURSIVE one(name) AS (
    SELECT MIN(client) FROM request
    UNION ALL SELECT (SELECT MIN(client) FROM request WHERE client > one.name) FROM one WHERE one.name IS NOT NULL)
  SELECT name FROM one WHERE name IS NOT NULL LIMIT 500`;

/** So many rows are sorted in less time than it takes to look for them among a million in another order. */
const FEW = 20_000;

const COUNT_TO_FEW = `SELECT COUNT(*) FROM (
  SELECT 1 FROM request WHERE model_id = (SELECT id FROM model WHERE name = ?) LIMIT ${FEW})`;

export function createRequestSearch({ sqlite, orm }: Connection): RequestFinder {
  const names = sqlite.prepare<[], string>(CLIENTS).pluck();
  const few = sqlite.prepare<[string], number>(COUNT_TO_FEW).pluck();
  return {
    clients: () => names.all(),
    find(model, limit, search = {}) {
      const clients = search.client === undefined ? [] : names.all();
      const isFew = model !== null && (few.get(model) ?? 0) < FEW;
      const rows = requestQuery(orm, { model, limit, search, clients, isFew }).all();
      return rows.map(({ why, miss, ...row }) => ({ ...row, why: codedOf(why), miss: codedOf(miss) }));
    },
  };
}

type Asked = {
  readonly model: string | null;
  readonly limit: number;
  readonly search: RequestSearch;
  /** All names of clients, where one is searched for. */
  readonly clients: readonly string[];
  /** The model that is asked for has few requests. */
  readonly isFew: boolean;
};

/** The statement of a search, not yet run. */
export function requestQuery(orm: Connection['orm'], { limit, ...asked }: Asked) {
  const { order = 'newest', from } = asked.search;
  const { driver, conditions } = conditionsOf(asked);
  // A `+` keeps SQLite from reading a long table in this order because it need not sort then.
  const by = driver === 'order' || order === 'newest' ? ORDERS[order] : sql<number>`+(${ORDERS[order]})`;
  return orm
    .select(COLUMNS)
    .from(request)
    .innerJoin(modelTable, eq(modelTable.id, request.modelId))
    .where(
      and(
        ...conditions,
        order === 'slowest' ? isNotNull(by) : undefined,
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
function conditionsOf({ model, search, clients, isFew }: Omit<Asked, 'limit'>): {
  readonly driver: Driver;
  readonly conditions: readonly (SQL | undefined)[];
} {
  const { session, ending, client, replica, since } = search;
  // Where the engine chose, the decision says so, and the decision has an index.
  const decision = search.decision ?? (replica === null ? 'unrouted' : undefined);
  const named = client === undefined ? [] : versionsOf(client, clients);
  const driver = driverOf({ ...search, decision }, named.length, isFew);
  const byDecision = driver === 'decision';
  const conditions = [
    ...(session === undefined ? [] : ofSession(session)),
    ...(ending === undefined ? [] : endsAs(ending)),
    client === undefined ? undefined : ofClients(named, driver === 'client'),
    decision === undefined
      ? undefined
      : byDecision
        ? eq(request.decision, decision)
        : eq(plus(request.decision), decision),
    replica === undefined ? undefined : replica === null ? isNull(request.replica) : eq(request.replica, replica),
    model === null
      ? undefined
      : driver !== 'model'
        ? eq(plus(request.modelId), idOf(model))
        : eq(request.modelId, idOf(model)),
    since === undefined
      ? undefined
      : gte(driver === 'order' ? sql`+${request.finishedMs}` : sql`${request.finishedMs}`, Math.round(since)),
  ];
  return { driver, conditions };
}

/** Which condition uses its index. `order`: none, the rows are read in the order asked for until there are enough. */
type Driver = 'session' | 'unwell' | 'client' | 'decision' | 'order' | 'model';

function driverOf(
  search: Omit<RequestSearch, 'decision'> & { decision: string | undefined },
  clients: number,
  isFew: boolean,
): Driver {
  const { session, ending, decision, replica, order = 'newest', since, isWide = false } = search;
  if (session !== undefined) return 'session';
  if (ending !== undefined && ending !== 'ok' && ending !== 200) return 'unwell';
  if (clients === 1) return 'client';
  if (decision !== undefined) return 'decision';
  // What else narrows the search may leave nothing: then reading in this order would go through all rows, one by one.
  const isPlain = ending === undefined && replica === undefined && clients === 0 && !isFew;
  return order !== 'newest' && (since === undefined || isWide) && isPlain ? 'order' : 'model';
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
