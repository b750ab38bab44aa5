import { hostName } from './host.ts';

export type OriginFacts = {
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which browsers send and pages cannot change. */
  readonly fetchSite: string | undefined;
  readonly host: string | undefined;
};

/**
 * The origin of a page that has no business here; null where the request comes from our own pages, or from no page at
 * all. Two ports of one machine are two origins, though browsers call them the same site. `allowed`: origins such as
 * `https://chat.example.org` that may use the API.
 */
export function foreignOrigin({ origin, fetchSite, host }: OriginFacts, allowed: readonly string[]): string | null {
  if (origin !== undefined) {
    if (allowed.includes(origin)) return null;
    return hostOf(origin) === withoutDefaultPort(host) ? null : origin;
  }
  return fetchSite === 'cross-site' || fetchSite === 'same-site' ? 'another site' : null;
}

/** Host and port; null for an opaque origin and for those of files and apps. */
function hostOf(origin: string): string | null {
  return /^https?:\/\//i.test(origin) ? (URL.parse(origin)?.host ?? null) : null;
}

/** As URLs have it: an address behind TLS leaves out 443, one in the clear 80. */
function withoutDefaultPort(host: string | undefined): string | undefined {
  if (host === undefined || hostName(host) === null) return undefined;
  return host.toLowerCase().replace(/:(?:80|443)$/, '');
}
