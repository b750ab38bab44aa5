/** Which names a request may be addressed to. */
export type HostRule = {
  /** The address or name that the server listens on. */
  readonly bound: string;
  /** Names and addresses of the configuration, and of the machine itself. */
  readonly allowed: readonly string[];
};

/** The name in a `Host` header or in an origin, lower case, without port and brackets; null where there is none. */
export function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]\\]+))(?::\d{1,5})?$/i.exec(header);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '');
}

/** True for what can only mean this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name);
}

/** True for the addresses that mean "all of this machine's". */
export function isWildcard(host: string): boolean {
  return /^\[?(?:0\.0\.0\.0|::|::0|0|::ffff:0\.0\.0\.0)\]?$/.test(host);
}

function isAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}

/**
 * Whether a request addressed to `header` is meant for this server. A page that rebinds its own name to this machine
 * sends that name; it cannot send an address or a name that is not its own. So addresses are let in where the server
 * listens on all of them, and names only where they are known.
 */
export function isKnownHost(header: string | undefined, { bound, allowed }: HostRule): boolean {
  // No browser leaves it out; what speaks HTTP/1.0 may.
  if (header === undefined) return true;
  const name = hostName(header);
  if (name === null) return false;
  if (isLoopback(name) || name === bound.toLowerCase()) return true;
  if (isWildcard(bound) && isAddress(name)) return true;
  return allowed.some((entry) => (entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry));
}
