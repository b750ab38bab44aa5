import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { SimulatedFleet, SimulatedFleetOptions, StartedFleet } from './fleet-options.ts';
import { startSimulatedFleet } from './start-fleet.ts';

/** A fast fleet that closes when the test that asked for it ends. */
export async function testFleet(options: SimulatedFleetOptions = {}): Promise<StartedFleet> {
  const fleet = await startSimulatedFleet({ speed: 50, ...options });
  onTestFinished(() => fleet.close());
  return fleet;
}

export type PostOptions = { readonly headers?: Record<string, string>; readonly signal?: AbortSignal };

export function post(fleet: SimulatedFleet, path: string, body: unknown, options: PostOptions = {}): Promise<Response> {
  return fetch(`${fleet.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

const looseJson = z.record(z.string(), z.any());
/** A JSON object as tests look into it. */
export type LooseJson = z.infer<typeof looseJson>;

export async function readJson(response: Response): Promise<LooseJson> {
  return looseJson.parse(await response.json());
}

export type StreamEvent = { readonly event: string | null; readonly data: LooseJson };

/** The events of a finished stream; `done` is whether it ended with `data: [DONE]`. */
export async function readStream(response: Response): Promise<{ events: StreamEvent[]; done: boolean }> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
  const done = blocks.at(-1) === 'data: [DONE]';
  const events = (done ? blocks.slice(0, -1) : blocks).map((block) => {
    const lines = block.split('\n');
    const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
    const event = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? null;
    return { event, data: looseJson.parse(JSON.parse(data ?? '{}')) };
  });
  return { events, done };
}

/** Waits for something that happens soon on its own; fails the test where it does not. */
export async function eventually(isSo: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 15_000;
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error(`never came true: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const WORDS = 'The quick brown fox jumps over the lazy dog and runs into the forest. ';
