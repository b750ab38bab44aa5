import { Agent, request } from 'undici';
import type { z } from 'zod';
import { problem } from '#lib/contract/activity.ts';
import { modelReadings } from '#lib/contract/benchmark.ts';
import { routingState } from '#lib/contract/models.ts';
import type { ModelUnderTest } from './model-under-test.ts';

export type RemoteOptions = { readonly url: string; readonly model: string; readonly apiKey: string | null };

/** A model of a router elsewhere, through the console's API. */
export function createRemoteModel({ url, model, apiKey }: RemoteOptions): ModelUnderTest & { close(): Promise<void> } {
  const agent = new Agent();
  const base = `${url}/api/models/${encodeURIComponent(model)}`;

  async function call<T>(method: 'GET' | 'PATCH', path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
    const answer = await request(base + path, {
      method,
      dispatcher: agent,
      headers: {
        'content-type': 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${base}${path}: ${reason(answer.statusCode, text)}`);
    return schema.parse(JSON.parse(text));
  }

  return {
    readings: () => call('GET', '/readings', modelReadings),
    async set({ affinity, cacheFit }) {
      await call('PATCH', '/routing', routingState, { affinity, cache_fit: cacheFit });
    },
    close: () => agent.destroy(),
  };
}

function reason(status: number, text: string): string {
  try {
    return problem.parse(JSON.parse(text)).detail;
  } catch {
    return `status ${status}, which no LM Warden answers there`;
  }
}
