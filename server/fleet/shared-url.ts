import { StartError } from '#server/settings.ts';

export type SharedNode = { readonly host: string; readonly port: number };

/** How to reach the shared memory: one server, the master that sentinels name, or a cluster. */
export type SharedAddress = {
  readonly kind: 'server' | 'sentinel' | 'cluster';
  readonly nodes: readonly [SharedNode, ...SharedNode[]];
  /** The master's name, for sentinels. */
  readonly masterName: string | null;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** What the sentinels themselves want to hear, which is often nothing. */
  readonly sentinel: SharedCredentials;
  readonly database: number;
};

export type SharedCredentials = { readonly username: string | null; readonly password: string | null };

const SCHEMES: Readonly<Record<string, { readonly kind: SharedAddress['kind']; readonly tls: boolean }>> = {
  redis: { kind: 'server', tls: false },
  rediss: { kind: 'server', tls: true },
  valkey: { kind: 'server', tls: false },
  valkeys: { kind: 'server', tls: true },
  'redis+sentinel': { kind: 'sentinel', tls: false },
  'rediss+sentinel': { kind: 'sentinel', tls: true },
  'redis+cluster': { kind: 'cluster', tls: false },
  'rediss+cluster': { kind: 'cluster', tls: true },
};
const DEFAULT_PORTS = { server: 6379, cluster: 6379, sentinel: 26_379 } as const;
const FORM = /^([a-z+]+):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * Reads `WARDEN_SHARED`: `redis://user:password@host:port/database`, `rediss://` with TLS,
 * `redis+sentinel://user:password@host:port,host:port/master-name?sentinel_username=…&sentinel_password=…`,
 * `redis+cluster://host:port,host:port`.
 * Throws a StartError that says what is wrong with it, without the password.
 */
export function readSharedUrl(text: string): SharedAddress {
  const [, scheme = '', credentials, hosts = '', path = '', query = ''] = FORM.exec(text) ?? [];
  const known = SCHEMES[scheme];
  if (known === undefined) {
    throw wrong('must be redis://, rediss://, redis+sentinel:// or redis+cluster:// with a host');
  }
  // A slash in a password that was not encoded ends it here, and what follows would be named in a message.
  if (`${hosts}${path}`.includes('@')) throw notEncoded();
  const { kind, tls } = known;
  const [first, ...others] = hosts.split(',').map((host) => readNode(host, DEFAULT_PORTS[kind]));
  if (first === undefined) throw wrong('names no host');
  if (kind === 'server' && others.length > 0) throw wrong('several hosts need redis+sentinel:// or redis+cluster://');
  if (kind === 'sentinel' && path === '') throw wrong('sentinels need the name of the master: …/master-name');
  if (kind === 'cluster' && path !== '' && path !== '0') throw wrong('a cluster has only the database 0');
  return {
    kind,
    nodes: [first, ...others],
    masterName: kind === 'sentinel' ? path : null,
    tls,
    ...readCredentials(credentials),
    sentinel: readSentinelCredentials(query, kind),
    database: kind === 'server' ? readDatabase(path) : 0,
  };
}

function readNode(text: string, defaultPort: number): SharedNode {
  const url = URL.parse(`http://${text}`);
  if (url === null || text === '') throw wrong(`"${text}" is not host:port`);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? portIn(text, defaultPort) : Number(url.port),
  };
}

/** The parser leaves out :80, which is http's own port and nobody else's. */
function portIn(text: string, defaultPort: number): number {
  return text.endsWith(':80') ? 80 : defaultPort;
}

function readCredentials(text: string | undefined): Pick<SharedAddress, 'username' | 'password'> {
  if (text === undefined || text === '') return { username: null, password: null };
  const colon = text.indexOf(':');
  const [username, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  try {
    return {
      username: username === '' ? null : decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
    };
  } catch {
    throw notEncoded();
  }
}

const SENTINEL_USERNAME = 'sentinel_username';
const SENTINEL_PASSWORD = 'sentinel_password';

function readSentinelCredentials(query: string, kind: SharedAddress['kind']): SharedCredentials {
  // A `+` is one, as in the user and the password before the host.
  const given = new URLSearchParams(query.replaceAll('+', '%2B'));
  const known = kind === 'sentinel' ? [SENTINEL_USERNAME, SENTINEL_PASSWORD] : [];
  // Not which: behind the `?` may be the rest of a password.
  if ([...given.keys()].some((name) => !known.includes(name))) {
    throw wrong(`takes no options but ${SENTINEL_USERNAME} and ${SENTINEL_PASSWORD}, and these for sentinels`);
  }
  return { username: given.get(SENTINEL_USERNAME), password: given.get(SENTINEL_PASSWORD) };
}

function readDatabase(path: string): number {
  if (path === '') return 0;
  if (!/^\d{1,4}$/.test(path)) throw wrong('has a database that is not a number');
  return Number(path);
}

const notEncoded = (): StartError => wrong('has a user or password that is not percent-encoded');

const wrong = (what: string): StartError => new StartError(`WARDEN_SHARED ${what}`);
