import type { Server } from 'node:http';

/** The TCP port of a server that listens. */
export function boundPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the simulated fleet has no TCP port');
  return address.port;
}
