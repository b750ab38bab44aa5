import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isRefusedHost } from '#lib/config/upstream-url.ts';

/** Hosts that are connected to though they are refused otherwise; as in the configuration, `allowed_upstream_hosts`. */
export type AllowedHosts = () => readonly string[];

/** All addresses of a name. */
type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** An engine's name, or its address, that leads to where the machine hands out its credentials. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'ERR_REFUSED_ADDRESS';

  constructor(host: string, address: string) {
    const leads = host === address ? `${host} is` : `${host} leads to ${address},`;
    super(`${leads} a link-local or cloud metadata address, which is not connected to (allowed_upstream_hosts)`);
  }
}

/**
 * How undici makes its connections to engines: to no link-local or metadata address, whatever the name said when it was
 * entered. The address that is checked is the one that is connected to, so a name that changes in between gains nothing.
 */
export function guardedConnect(
  options: buildConnector.BuildOptions,
  allowed: AllowedHosts,
  resolve: Resolve = lookup,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: guardedLookup(allowed, resolve) });
  return (target, callback) => {
    const { hostname } = target;
    if (isRefusedHost(hostname) && !allowed().includes(hostname)) {
      callback(new RefusedAddressError(hostname, hostname), null);
      return;
    }
    connect(target, callback);
  };
}

function guardedLookup(allowed: AllowedHosts, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...options, all: true };
    resolve(hostname, all, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const hosts = allowed();
      const bad = addresses.find(({ address }) => isRefusedHost(address) && !hosts.includes(address));
      if (bad !== undefined && !hosts.includes(hostname)) {
        return callback(new RefusedAddressError(hostname, bad.address), '');
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
