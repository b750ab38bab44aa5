import type { Socket } from 'node:net';

/**
 * Ends a connection with a reset. A reset of a socket that is already being ended fails in libuv, and Node 20 then
 * never closes the handle: a worker thread would spin for ever instead of ending.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
