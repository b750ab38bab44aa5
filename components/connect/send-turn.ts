import { z } from 'zod';
import { decisionKind } from '#lib/contract/activity.ts';

/** Where a test turn went; `replica` null where the engine chose. */
export type TurnAnswer = {
  readonly replica: number | null;
  readonly decision: z.infer<typeof decisionKind> | null;
  readonly source: string | null;
  readonly seconds: number;
};

const refusal = z.object({ error: z.object({ message: z.string() }) });

/** Sends one small turn through the router, as a client would. Throws with a sentence when it is not served. */
export async function sendTurn(model: string, session: string): Promise<TurnAnswer> {
  const startedAt = performance.now();
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': session },
    body: JSON.stringify({
      model,
      max_tokens: 16,
      messages: [{ role: 'user', content: 'This is a test turn of the console. Answer with one word.' }],
    }),
  });
  const text = await response.text();
  const seconds = (performance.now() - startedAt) / 1000;
  if (!response.ok) throw new Error(reason(response.status, text));
  const replica = response.headers.get('x-warden-replica');
  return {
    replica: replica === null ? null : Number(replica),
    decision: decisionKind.safeParse(response.headers.get('x-warden-decision')).data ?? null,
    source: response.headers.get('x-warden-session-source'),
    seconds,
  };
}

/** An id for a conversation; crypto.randomUUID does not exist on plain http from another machine. */
export function newSession(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function reason(status: number, text: string): string {
  try {
    const parsed = refusal.safeParse(JSON.parse(text));
    if (parsed.success) return `${status}: ${parsed.data.error.message}`;
  } catch {
    // Not JSON: what stood in front of the router answered; the status has to do.
  }
  return `The router answered ${status}.`;
}
