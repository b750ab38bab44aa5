import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { networks } from './access-settings.ts';

/**
 * What a request came by. `isTls`: the browser's own connection is encrypted, here or at the proxy in front. `host`: the
 * name that the browser asked for; undefined where the client speaks HTTP/1.0 and sends none.
 */
export type Connection = {
  readonly address: string;
  readonly isTls: boolean;
  readonly host: string | undefined;
};

/**
 * Reads where a request comes from. `X-Forwarded-For`, `-Proto` and `-Host` are believed where the connection itself comes from a
 * trusted proxy, and of the addresses in it the last one that is no such proxy: those before it are the client's own
 * claims.
 */
export function createConnectionReader(trustedProxies: readonly string[]): (req: IncomingMessage) => Connection {
  const trusted = networks(trustedProxies);
  return (req) => {
    const peer = plainAddress(req.socket.remoteAddress ?? '');
    const isTls = 'encrypted' in req.socket && req.socket.encrypted === true;
    const { host } = req.headers;
    if (trustedProxies.length === 0 || !isTrusted(trusted, peer)) return { address: peer, isTls, host };
    const chain = headerText(req, 'x-forwarded-for')
      .split(',')
      .map((part) => plainAddress(part.trim()))
      .filter((part) => isIP(part) !== 0);
    const address = chain.findLast((one) => !isTrusted(trusted, one)) ?? peer;
    const proto = lastOf(req, 'x-forwarded-proto').toLowerCase();
    return { address, isTls: isTls || proto === 'https', host: lastOf(req, 'x-forwarded-host') || host };
  };
}

function lastOf(req: IncomingMessage, name: string): string {
  return headerText(req, name).split(',').at(-1)?.trim() ?? '';
}

function headerText(req: IncomingMessage, name: string): string {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

/** An IPv4 address that came in over a socket of IPv6 is the IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/^\[|\]$/g, '');
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
