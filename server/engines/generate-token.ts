import { Agent, request } from 'undici';
import { type AllowedHosts, guardedConnect } from '#server/network/guarded-connect.ts';
import { connectionFailure } from './engine-error.ts';
import { said } from './probe-engine.ts';

export type GeneratedToken = {
  readonly ok: boolean;
  readonly status: number | null;
  readonly seconds: number;
  /** What was answered instead of a token, or why nothing was; null where all is well. */
  readonly said: string | null;
};

type Target = {
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly allowedHosts?: AllowedHosts;
};

/** A busy engine may let a new request wait behind long prompts. */
const PATIENCE_MS = 30_000;
const CONNECT_SECONDS = 5;

/** Asks an engine for one token, as a client would: that it lists a model does not say that it can run it. */
export async function generateToken(target: Target, now: () => number): Promise<GeneratedToken> {
  const { url, apiKey, model, allowedHosts = () => [] } = target;
  const dispatcher = new Agent({ connect: guardedConnect({ timeout: CONNECT_SECONDS * 1000 }, allowedHosts) });
  const startedAt = now();
  const seconds = (): number => (now() - startedAt) / 1000;
  try {
    const answer = await request(`${url}/v1/completions`, {
      method: 'POST',
      dispatcher,
      headers: {
        'content-type': 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, prompt: 'Hi', max_tokens: 1 }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = await answer.body.text();
    const ok = answer.statusCode === 200;
    return { ok, status: answer.statusCode, seconds: seconds(), said: ok ? null : said(body) };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const why = isLate ? `no answer within ${PATIENCE_MS / 1000} s` : connectionFailure(error, CONNECT_SECONDS);
    return { ok: false, status: null, seconds: seconds(), said: why };
  } finally {
    await dispatcher.destroy();
  }
}
