import type { RequestSearch } from './store.ts';

/** A part of a WHERE, with the values of its `?` in order. */
type Part = { readonly sql: string; readonly values: readonly (string | number)[] };

/** A condition that an index can answer; `isNewestFirst`: read backwards, the index gives the newest first. */
export type IndexedPart = Part & { readonly index: string; readonly isNewestFirst: boolean };

/** What a search asks for: what an index can answer, the one that leaves the fewest rows as a rule first, and the rest. */
export type Conditions = { readonly indexed: readonly IndexedPart[]; readonly others: readonly Part[] };

/** The condition of the partial index `request_unwell`, word for word: SQLite takes the index for no other. */
const UNWELL = `(status >= 400 OR outcome <> 'ok')`;

export type Asked = {
  readonly modelId: number | null;
  readonly search: RequestSearch;
  /** The names of clients that the search means; empty where it does not ask for one. */
  readonly clients: readonly string[];
};

/** The time is not among them: the indexes in order of time answer it together with their own condition. */
export function conditionsOf({ modelId, search, clients }: Asked): Conditions {
  const { session, ending, replica } = search;
  // Where the engine chose, the decision says so, and the decision has an index.
  const decision = search.decision ?? (replica === null ? 'unrouted' : undefined);
  const found: (IndexedPart | Part)[] = [];
  if (session !== undefined) found.push(ofSession(session));
  if (ending !== undefined) found.push(...endsAs(ending));
  if (clients.length > 0) found.push(ofClients(clients));
  if (decision !== undefined) found.push(indexed('request_decision', 'decision = ?', decision));
  if (modelId !== null) found.push(indexed('request_model_finished', 'model_id = ?', modelId));
  if (replica === null) found.push({ sql: 'replica IS NULL', values: [] });
  else if (replica !== undefined) found.push({ sql: 'replica = ?', values: [replica] });
  const isIndexed = (part: IndexedPart | Part): part is IndexedPart => 'index' in part;
  return { indexed: found.filter(isIndexed), others: found.filter((part) => !isIndexed(part)) };
}

/** All known names of a program ("Claude Code" has one for each version), or the one that was asked for. */
export function versionsOf(client: string, known: readonly string[]): string[] {
  return known.filter((name) => {
    const rest = name.startsWith(client) ? name.slice(client.length) : null;
    return rest === '' || (rest !== null && /^ \d/.test(rest));
  });
}

function indexed(index: string, sql: string, ...values: readonly (string | number)[]): IndexedPart {
  return { index, sql, values, isNewestFirst: true };
}

/** 'g' follows all hex digits. */
function ofSession(beginning: string): IndexedPart {
  const sql = 'session_hash >= ? AND session_hash < ?';
  return { ...indexed('request_session', sql, beginning, `${beginning}g`), isNewestFirst: false };
}

function endsAs(ending: NonNullable<RequestSearch['ending']>): (IndexedPart | Part)[] {
  if (ending === 'ok') return [{ sql: `NOT ${UNWELL}`, values: [] }];
  const unwell = indexed('request_unwell', UNWELL);
  if (typeof ending === 'number') {
    return [...(ending < 400 ? [] : [unwell]), { sql: 'status = ?', values: [ending] }];
  }
  return [
    unwell,
    { sql: ending === 'client_left' ? `outcome = 'client_left'` : `outcome <> 'client_left'`, values: [] },
  ];
}

/** Several names are several stretches of the index, each in order of time and not together. */
function ofClients(names: readonly string[]): IndexedPart {
  if (names.length === 1) return indexed('request_client', 'client = ?', ...names);
  const sql = `client IN (${names.map(() => '?').join(', ')})`;
  return { ...indexed('request_client', sql, ...names), isNewestFirst: false };
}
