/** Why a URL is not taken as the address of an engine. */
export type UpstreamUrlProblem = 'not_a_url' | 'scheme' | 'credentials' | 'query' | 'refused_host';

/** `url` is what is kept: scheme, host and path, without `/v1` and without a slash at the end. */
export type UpstreamUrlResult =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly problem: UpstreamUrlProblem; readonly message: string };

/**
 * Reads the address of an engine as a person types it (`gpu-box:8000` is http). Only http and https; no user or
 * password, which would end up on screens and in logs; no query. Hosts of `isRefusedHost` are refused unless `allowed`
 * names them (as written in the configuration: a host name or an address, without port).
 */
export function readUpstreamUrl(text: string, allowed: readonly string[] = []): UpstreamUrlResult {
  const trimmed = text.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = trimmed === '' || /\s/.test(trimmed) ? null : URL.parse(withScheme);
  if (url === null || url.hostname === '') {
    return refused('not_a_url', 'This is not a URL such as http://gpu-box:8000.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refused('scheme', 'Only http:// and https:// addresses are taken.');
  }
  if (url.username !== '' || url.password !== '') {
    return refused('credentials', 'The URL must not carry a user or password; give the engine its API key instead.');
  }
  if (url.search !== '' || url.hash !== '') {
    return refused('query', 'The URL must not have a query or a fragment.');
  }
  const host = bareHost(url.hostname);
  if (isRefusedHost(host) && !allowed.some((entry) => bareHost(entry) === host)) {
    const message = `${host} is a link-local or cloud metadata address; it has to be allowed in the configuration (allowed_upstream_hosts).`;
    return refused('refused_host', message);
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  return { ok: true, url: `${url.protocol}//${url.host}${path}`, host };
}

/**
 * Hosts that hand out credentials of the machine to whoever asks: link-local addresses (169.254.0.0/16, fe80::/10) and
 * the metadata services of the clouds. `host`: a name or an address, IPv6 with or without brackets. What a name
 * resolves to is to be asked as well, when the connection is made.
 */
export function isRefusedHost(host: string): boolean {
  const bare = bareHost(host);
  if (METADATA_HOSTS.has(bare)) return true;
  if (bare.includes(':')) return isRefusedIpv6(bare);
  return bare.startsWith('169.254.') && /^[\d.]+$/.test(bare);
}

const METADATA_HOSTS: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  // Alibaba Cloud, Oracle Cloud, Azure's host agent, and Amazon's by IPv6.
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
]);

/** Lower case, without brackets, zone and the dot of a full name: the forms in which one host is written. */
function bareHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
}

function isRefusedIpv6(address: string): boolean {
  if (/^fe[89ab][0-9a-f]?:/.test(address)) return true;
  const embedded = embeddedIpv4(address);
  return embedded !== null && isRefusedHost(embedded);
}

/** The IPv4 address inside `::ffff:a.b.c.d`, `::a.b.c.d` and `64:ff9b::a.b.c.d`, also in hex groups; null where none. */
function embeddedIpv4(address: string): string | null {
  const tail = /^(?:::ffff:(?:0:)?|::|64:ff9b::)(.+)$/.exec(address)?.[1];
  if (tail === undefined) return null;
  if (/^[\d.]+$/.test(tail) && tail.includes('.')) return tail;
  const groups = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(tail);
  if (groups === null) return null;
  const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function refused(problem: UpstreamUrlProblem, message: string): UpstreamUrlResult {
  return { ok: false, problem, message };
}
