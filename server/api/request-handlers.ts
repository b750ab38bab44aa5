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
import type { RequestPlace, RequestSearch } from '#server/store/store.ts';
import { findRequests } from './find-requests.ts';
import type { ApiCall } from './handlers.ts';
import { limitOf, modelFilter } from './parameters.ts';
import { requestEntry } from './request-entry.ts';

/** The finished requests that match the query, a page of them. */
export async function listRequests(call: ApiCall): Promise<RequestList> {
  const limit = limitOf(call, 100, 1000);
  const search = searchOf(call);
  const { rows, next } = await findRequests(call.context.store, modelFilter(call), limit, search);
  return { requests: rows.map(requestEntry), next: next === null ? null : `${next.value}.${next.seq}` };
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
    ...(window === null ? {} : { since: context.now() - RANGES[window].seconds * 1000 }),
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

/** `value.seq`: see RequestPlace. Rows that finish later come before all of these, so that pages do not shift. */
function cursorOf(text: string): RequestPlace {
  const match = /^(-?\d{1,16})\.(\d{1,15})$/.exec(text);
  if (match === null) throw invalid('before', 'before must be what the page before gave as next.');
  return { value: Number(match[1]), seq: Number(match[2]) };
}

function invalid(field: string, detail: string): ProblemError {
  return new ProblemError(400, 'Invalid request', detail, field);
}
