import * as z from 'zod';
import { getJson } from '#components/data/client.ts';
import { decisionKind, type RequestEntry, requestList } from '#lib/contract/activity.ts';

/** Where a test turn went; `replica` null where the engine chose. */
export type TurnAnswer = {
  readonly id: string;
  readonly replica: number | null;
  readonly decision: z.infer<typeof decisionKind> | null;
  readonly source: string | null;
  readonly seconds: number;
};

/** A test turn that was not served; `detail` is the router's own sentence, null where it gave none. */
export class TurnRefused extends Error {
  readonly status: number;
  readonly detail: string | null;

  constructor(status: number, detail: string | null) {
    super(detail ?? String(status));
    this.name = 'TurnRefused';
    this.status = status;
    this.detail = detail;
  }
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

type Turn = { readonly model: string; readonly session: string; readonly id: string; readonly key: string };

/** Sends one small turn through the router, as a client would. `key` may be empty. Throws `TurnRefused`. */
export async function sendTurn({ model, session, id, key }: Turn): Promise<TurnAnswer> {
  const startedAt = performance.now();
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    // The console's cookie is nothing that a client would send.
    credentials: 'omit',
    headers: {
      'content-type': 'application/json',
      'x-session-id': session,
      'x-request-id': id,
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model,
      max_tokens: 16,
      messages: [{ role: 'user', content: 'This is a test turn of the console. Answer with one word.' }],
    }),
  });
  const text = await response.text();
  const seconds = (performance.now() - startedAt) / 1000;
  if (!response.ok) throw new TurnRefused(response.status, reasonIn(text));
  const replica = response.headers.get('x-warden-replica');
  return {
    id,
    replica: replica === null ? null : Number(replica),
    decision: decisionKind.safeParse(response.headers.get('x-warden-decision')).data ?? null,
    source: response.headers.get('x-warden-session-source'),
    seconds,
  };
}

const TRIES = 8;
const BETWEEN_TRIES_MS = 500;

/** What the router wrote down of a request, which takes it a second; null where it is not found. */
export async function requestOf(model: string, id: string): Promise<RequestEntry | null> {
  const search = new URLSearchParams({ model, limit: '50' });
  for (let left = TRIES; left > 0; left -= 1) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    const { requests } = await getJson(`/api/requests?${search}`, requestList, AbortSignal.timeout(10_000));
    const found = requests.find((request) => request.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

/** An id for a conversation or a request; crypto.randomUUID does not exist on plain http from another machine. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Null where it is not JSON: then what stood in front of the router answered, and the status has to do. */
function reasonIn(text: string): string | null {
  try {
    return refusal.safeParse(JSON.parse(text)).data?.error.message ?? null;
  } catch {
    return null;
  }
}
