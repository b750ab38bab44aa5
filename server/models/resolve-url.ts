import { lookup } from 'node:dns/promises';
import { isRefusedHost, readUpstreamUrl } from '#lib/config/upstream-url.ts';
import type { ProbeProblem } from '#lib/contract/managed-models.ts';

export type ResolvedUrl =
  | { readonly problem: null; readonly url: string }
  | { readonly problem: ProbeProblem; readonly url: string };

/**
 * Reads a URL that somebody entered, and looks its host up: a name that leads to a link-local or metadata address is
 * refused like the address itself. A name that nobody knows is left to the connection to say so.
 */
export async function resolveUrl(text: string, allowed: readonly string[]): Promise<ResolvedUrl> {
  const read = readUpstreamUrl(text, allowed);
  if (!read.ok) return refused(withoutSecrets(text), read.problem, read.message);
  const { url, host } = read;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const bad = addresses.find(({ address }) => isRefusedHost(address) && !allowed.includes(address));
  if (bad === undefined || allowed.includes(host)) return { problem: null, url };
  return refused(url, 'refused_host', `${host} leads to ${bad.address}, a link-local or cloud metadata address.`);
}

function refused(url: string, code: ProbeProblem['code'], message: string): ResolvedUrl {
  return { url, problem: { code, message, status: null, said: null } };
}

/** What was typed, to be shown again, without what might be a password. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@').replace(/[?#].*$/, '');
}
