import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Agent, request } from 'undici';
import type { Demo } from '#server/api/context.ts';
import { seeded, sessionScript } from './session-script.ts';

export type DemoOptions = {
  /** Base URL of this very server: the sessions take the way of any client. */
  readonly baseUrl: () => string;
  /** The router's own key for itself. */
  readonly apiKey: string;
  readonly model: string;
  readonly log: Logger;
};

const TURNS_PER_SESSION = 6;
const MAX_OUTPUT_TOKENS = 192;
/** People and tools pause between turns. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 6_000;
const PAUSE_AFTER_FAILURE_MS = 2_000;

type Message = { readonly role: 'user' | 'assistant'; readonly content: string };

/** Synthetic coding agents against the embedded fleet, so that the charts move. None run until asked for. */
export function createDemo({ baseUrl, apiKey, model, log }: DemoOptions): Demo & { close(): Promise<void> } {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const running: AbortController[] = [];
  let seed = 1;

  const turn = async (
    id: string,
    system: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<string> => {
    const answer = await request(`${baseUrl()}/v1/messages`, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
        'anthropic-version': '2023-06-01',
        'user-agent': 'synthetic-agent/1.0',
        'x-session-id': id,
      },
      body: JSON.stringify({ model, max_tokens: MAX_OUTPUT_TOKENS, stream: true, system, messages }),
    });
    const body = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`turn answered ${answer.statusCode}: ${body.slice(0, 200)}`);
    return streamedText(body);
  };

  const session = async (signal: AbortSignal): Promise<void> => {
    const random = seeded(seed++);
    const script = sessionScript(random);
    const id = randomUUID();
    const messages: Message[] = [];
    for (let index = 0; index < TURNS_PER_SESSION && !signal.aborted; index += 1) {
      messages.push({ role: 'user', content: script.message(index) });
      messages.push({ role: 'assistant', content: await turn(id, script.system, messages, signal) });
      await pause(SHORTEST_PAUSE_MS + random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS), undefined, { signal });
    }
  };

  const keepRunning = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await session(signal);
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, 'a synthetic session failed');
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  };

  const setSessions = (count: number): void => {
    for (const surplus of running.splice(count)) surplus.abort();
    while (running.length < count) {
      const controller = new AbortController();
      running.push(controller);
      void keepRunning(controller.signal);
    }
  };
  return {
    sessions: () => running.length,
    setSessions,
    async close() {
      setSessions(0);
      await agent.destroy();
    },
  };
}

/** The text of an Anthropic event stream. */
function streamedText(stream: string): string {
  const parts: string[] = [];
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: ') || !line.includes('text_delta')) continue;
    const event: unknown = JSON.parse(line.slice('data: '.length));
    if (typeof event !== 'object' || event === null || !('delta' in event)) continue;
    const { delta } = event;
    if (typeof delta === 'object' && delta !== null && 'text' in delta && typeof delta.text === 'string') {
      parts.push(delta.text);
    }
  }
  return parts.join('');
}
