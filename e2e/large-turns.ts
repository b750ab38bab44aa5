import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import type { BuiltWarden } from './built-warden.ts';
import { routing } from './model-page.ts';
import { type OpenTurn, openTurn } from './turns.ts';

const CONTEXT_TOKENS = 1500;

/** A turn of a conversation that fills a third of the small cache, and goes on until it is left. */
export function largeTurn(warden: BuiltWarden, headers: Readonly<Record<string, string>> = {}): Promise<OpenTurn> {
  const session = randomUUID();
  const content = session.repeat(Math.ceil((CONTEXT_TOKENS * 4) / session.length));
  return openTurn(warden.url, { session, tokens: 2000, headers, body: { messages: [{ role: 'user', content }] } });
}

export const heldTurns = async (warden: BuiltWarden) => (await routing(warden)).admission.held;

/**
 * More conversations than fit two replicas with small caches, cache-fit on: six turns are under way, two are held, and it
 * has been seen how fast the line moves. Three have been left, of which one had been held. It stays so until `leave`.
 */
export async function crowd(warden: BuiltWarden, headers: Readonly<Record<string, string>> = {}) {
  const running: OpenTurn[] = [];
  for (let count = 0; count < 6; count += 1) running.push(await largeTurn(warden, headers));
  const waiting: Promise<OpenTurn | null>[] = [];
  const released: OpenTurn[] = [];
  for (let count = 1; count <= 5; count += 1) {
    const turn = largeTurn(warden, headers);
    waiting.push(
      turn.then(
        (open) => {
          released.push(open);
          return open;
        },
        // The router ends before it is let go.
        () => null,
      ),
    );
    await expect.poll(() => heldTurns(warden)).toBe(count);
  }
  for (const [index, left] of [4, 3].entries()) {
    running[index]?.leave();
    await expect.poll(() => heldTurns(warden)).toBe(left);
  }
  await expect.poll(() => released.length).toBe(2);
  released[0]?.leave();
  await expect.poll(() => heldTurns(warden)).toBe(2);
  return {
    leave: () => {
      for (const turn of [...running, ...released]) turn.leave();
    },
  };
}
