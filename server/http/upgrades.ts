import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers of the offer to go on in HTTP/2, which belong to this hop. */
const OFFER = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Nothing here speaks another protocol, but Next's reload socket in development; an upgrade left alone would hang.
 * An offer of HTTP/2 is declined by answering the request as it stands, as RFC 9110 7.8 wants it and engines do: Java's
 * HTTP client makes that offer with its every first request.
 */
export function refuseUpgrades(server: Server, isOwned: (req: IncomingMessage) => boolean): void {
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isOwned(req)) return;
    if (req.headers.upgrade?.toLowerCase() === 'h2c') {
      socket.unshift(Buffer.concat([withoutOffer(req), head]));
      server.emit('connection', socket);
      return;
    }
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
}

/** The head of the request as it came, but for the offer. */
function withoutOffer({ method, url, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!OFFER.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
