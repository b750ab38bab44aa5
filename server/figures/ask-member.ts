import { Agent } from 'undici';
import { readUpstreamUrl } from '#lib/config/upstream-url.ts';
import { type FiguresProblem, OWN_FIGURES_PATH, type OwnFigures, ownFigures } from '#lib/contract/fleet.ts';
import { connectionFailure } from '#server/engines/engine-error.ts';
import { boundedText } from '#server/network/bounded-text.ts';
import { type AllowedHosts, guardedConnect, RefusedAddressError } from '#server/network/guarded-connect.ts';

/** What a member answered, or why it could not be read. */
export type Asked =
  | { readonly figures: OwnFigures; readonly problem: null }
  | { readonly figures: null; readonly problem: FiguresProblem };

export type MemberAsker = {
  /** `url`: as in the shared memory, where anybody who reaches it can write. `proof`: sent along; null where none is. */
  ask(url: string, proof: string | null): Promise<Asked>;
  close(): Promise<void>;
};

const ANSWER_WITHIN_MS = 2_000;
/** A hundred models are 100 kB. */
const MOST_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;

/** GETs what a warden says of itself: one path, no redirect, a bounded answer, and the addresses that engines may have. */
export function createMemberAsker(allowedHosts: AllowedHosts): MemberAsker {
  const agent = new Agent({
    connections: 1,
    pipelining: 1,
    connect: guardedConnect({ timeout: ANSWER_WITHIN_MS }, allowedHosts),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async ask(url, proof) {
      const read = readUpstreamUrl(url, allowedHosts());
      if (!read.ok) return problem('refused_address', read.message);
      const deadline = AbortSignal.timeout(ANSWER_WITHIN_MS);
      const headers = { accept: 'application/json', ...(proof === null ? {} : { authorization: `Warden ${proof}` }) };
      try {
        const target = `${read.url}${OWN_FIGURES_PATH}`;
        const { statusCode, body } = await agent.request({
          ...destination(target),
          method: 'GET',
          headers,
          signal: deadline,
        });
        const text = await boundedText(body, MOST_BYTES);
        if (statusCode !== 200) return statusProblem(statusCode);
        const parsed = text === null ? null : ownFigures.safeParse(parseJson(text));
        if (parsed?.success === true) return { figures: parsed.data, problem: null };
        return problem('not_understood', 'What it answers is not what a warden tells of itself.');
      } catch (error) {
        if (deadline.aborted) return problem('late', `No answer within ${ANSWER_WITHIN_MS / 1000} s.`);
        if (error instanceof RefusedAddressError) return problem('refused_address', error.message);
        return problem('unreachable', connectionFailure(error, ANSWER_WITHIN_MS / 1000));
      }
    },
    close: () => agent.destroy(),
  };
}

function destination(url: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname };
}

function statusProblem(status: number): Asked {
  if (status >= 300 && status < 400) return problem('redirect', 'It sends elsewhere, which is not followed.', status);
  if (status === 401 || status === 403) {
    const message =
      'It did not take this warden for one of its fleet: WARDEN_SHARED_SECRET has to be the same at all of them.';
    return problem('refused', message, status);
  }
  if (status === 404) return problem('older', 'It has no such figures; it may be an older version.', status);
  if (status === 421) {
    const message = 'It is not known by the name in its URL: put the name into its WARDEN_ALLOWED_HOSTS.';
    return problem('unknown_host', message, status);
  }
  return problem('failed', `It answered with HTTP ${status}.`, status);
}

function problem(code: FiguresProblem['code'], message: string, status: number | null = null): Asked {
  return { figures: null, problem: { code, status, message } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
