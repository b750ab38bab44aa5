import { z } from 'zod';

/** Where to send a probe: an engine, or LM Warden itself. */
export type ProbeTarget = { readonly url: string; readonly apiKey: string | null };

export type ProbeAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; null where it is not JSON. */
  readonly body: unknown;
};

const PATIENCE_MS = 60_000;

const usage = z.object({
  usage: z.object({
    prompt_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  }),
});

/** Sends one short completion of one token. Throws where no answer comes. */
export async function probe(
  { url, apiKey }: ProbeTarget,
  model: string,
  prompt: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ProbeAnswer> {
  const answer = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(apiKey), ...headers },
    body: JSON.stringify({ model, prompt, max_tokens: 1, temperature: 0 }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const body: unknown = await answer.json().catch(() => null);
  return { status: answer.status, headers: answer.headers, body };
}

export function authorization(apiKey: string | null): Record<string, string> {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
}

/** What an answer says of its prompt; `cached` null: the engine does not tell. Null where there is no usage in it. */
export function usageOf({ body }: ProbeAnswer): { readonly prompt: number; readonly cached: number | null } | null {
  const parsed = usage.safeParse(body);
  if (!parsed.success) return null;
  const { prompt_tokens, prompt_tokens_details } = parsed.data.usage;
  return { prompt: prompt_tokens, cached: prompt_tokens_details?.cached_tokens ?? null };
}
