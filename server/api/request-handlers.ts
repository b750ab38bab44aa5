import {
  type ClientList,
  decisionKind,
  type RequestList,
  requestEnding,
  requestOrder,
} from '#lib/contract/activity.ts';
import { rangeName } from '#lib/contract/series.ts';
import { RANGES } from '#lib/series/range.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { RequestRow, RequestSearch } from '#server/store/store.ts';
import type { ApiCall } from './handlers.ts';
import { limitOf, modelFilter } from './parameters.ts';
import { requestEntry } from './request-entry.ts';

/** A day of the week that is kept. */
const WIDE_SECONDS = 86_400;

/** The finished requests that match the query, a page of them. */
export async function listRequests(call: ApiCall): Promise<RequestList> {
  const limit = limitOf(call, 100, 1000);
  const search = searchOf(call);
  // One more than asked for tells whether there is a page behind this one.
  const rows = await call.context.store.requests(modelFilter(call), limit + 1, search);
  const page = rows.slice(0, limit);
  return { requests: page.map(requestEntry), next: rows.length > limit ? cursorBehind(page, search) : null };
}

export async function listClients({ context }: ApiCall): Promise<ClientList> {
  return { clients: [...(await context.store.requestClients())] };
}

function searchOf({ query, context }: ApiCall): RequestSearch {
  const given = (name: string): string | null => query.get(name) || null;
  const one = <T>(name: string, of: { options: readonly T[] }): T | null => {
    const text = given(name);
    if (text === null) return null;
    const value = of.options.find((option) => String(option) === text);
    if (value !== undefined) return value;
    throw invalid(name, `${name} must be one of ${of.options.join(', ')}.`);
  };
  const window = one('window', rangeName);
  const decision = one('decision', decisionKind);
  const order = one('order', requestOrder);
  const replica = given('replica');
  const status = given('status');
  const client = given('client');
  const session = given('session');
  const before = given('before');
  return {
    ...(order === null ? {} : { order }),
    ...(window === null
      ? {}
      : { since: context.now() - RANGES[window].seconds * 1000, isWide: RANGES[window].seconds >= WIDE_SECONDS }),
    ...(decision === null ? {} : { decision }),
    ...(replica === null ? {} : { replica: replicaOf(replica) }),
    ...(status === null ? {} : { ending: endingOf(status) }),
    ...(client === null ? {} : { client }),
    ...(session === null ? {} : { session: sessionOf(session) }),
    ...(before === null ? {} : { from: cursorOf(before) }),
  };
}

function replicaOf(text: string): number | null {
  if (text === 'engine') return null;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw invalid('replica', 'replica must be the number of a replica, or engine for those that the engine chose.');
}

function endingOf(text: string): NonNullable<RequestSearch['ending']> {
  const ending = requestEnding.safeParse(text);
  if (ending.success) return ending.data;
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  throw invalid('status', `status must be one of ${requestEnding.options.join(', ')}, or an HTTP status as 503.`);
}

function sessionOf(text: string): string {
  if (/^[0-9a-f]{1,32}$/.test(text)) return text;
  throw invalid('session', 'session must be the beginning of a session key: hex digits in lower case.');
}

/** `value.skip`: see RequestSearch. Rows that finish later come before all of these, so that pages do not shift. */
function cursorOf(text: string): { readonly value: number; readonly skip: number } {
  const match = /^(\d{1,16})\.(\d{1,9})$/.exec(text);
  if (match === null) throw invalid('before', 'before must be what the page before gave as next.');
  return { value: Number(match[1]), skip: Number(match[2]) };
}

function cursorBehind(page: readonly RequestRow[], search: RequestSearch): string | null {
  const last = page.at(-1);
  if (last === undefined) return null;
  const by = valueBy(search.order);
  const value = by(last);
  const same = page.filter((row) => by(row) === value).length;
  // A page that is all of one value goes on counting where the page before had stopped.
  const earlier = search.from?.value === value && same === page.length ? search.from.skip : 0;
  return `${value}.${same + earlier}`;
}

function valueBy(order: RequestSearch['order']): (row: RequestRow) => number {
  if (order === 'slowest') return ({ ttfbMs }) => ttfbMs ?? 0;
  return order === 'longest' ? (row) => row.finishedAt - row.startedAt : (row) => row.finishedAt;
}

function invalid(field: string, detail: string): ProblemError {
  return new ProblemError(400, 'Invalid request', detail, field);
}
