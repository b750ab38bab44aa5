import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Nothing here speaks another protocol, but Next's reload socket in development; an upgrade left alone would hang. */
export function refuseUpgrades(server: Server, isOwned: (req: IncomingMessage) => boolean): void {
  server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
    if (isOwned(req)) return;
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
}
