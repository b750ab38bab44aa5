import type { SessionEntry, SessionList } from '#lib/contract/activity.ts';
import { sessionOrder } from '#lib/contract/activity.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ApiCall } from './handlers.ts';
import { limitOf } from './parameters.ts';

/** What the console asks for when it does not say; more would be megabytes with every poll. */
const MOST_SESSIONS = 2000;

/** By what the sessions are ordered, most or newest first; what is not known comes last. */
const ORDERS: Readonly<Record<(typeof sessionOrder.options)[number], (session: SessionEntry) => number>> = {
  newest: ({ last_seen }) => Date.parse(last_seen),
  turns: ({ turns }) => turns,
  context: ({ context_tokens }) => context_tokens ?? -1,
  spills: ({ spills }) => spills,
};

/** A page of the sessions that have `q` in their key, client, source or model, in the order asked for. */
export function sessionPage(call: ApiCall, sessions: readonly SessionEntry[]): SessionList {
  const { query } = call;
  const limit = limitOf(call, MOST_SESSIONS, MOST_SESSIONS);
  const offset = offsetOf(query.get('offset'));
  const by = ORDERS[orderOf(query.get('order'))];
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter((session) => hasAll(session, words));
  const ordered = found.map((session) => ({ session, value: by(session) })).sort((a, b) => b.value - a.value);
  return {
    sessions: ordered.slice(offset, offset + limit).map(({ session }) => session),
    matching: found.length,
    total: sessions.length,
  };
}

function hasAll({ key, client, source, model }: SessionEntry, words: readonly string[]): boolean {
  const text = `${key} ${client ?? ''} ${source} ${model}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function orderOf(text: string | null): (typeof sessionOrder.options)[number] {
  if (text === null) return 'newest';
  const order = sessionOrder.safeParse(text);
  if (order.success) return order.data;
  throw invalid('order', `order must be one of ${sessionOrder.options.join(', ')}.`);
}

function offsetOf(text: string | null): number {
  if (text === null) return 0;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw invalid('offset', 'offset must be a whole number, 0 or more.');
}

function invalid(field: string, detail: string): ProblemError {
  return new ProblemError(400, 'Invalid request', detail, field);
}
