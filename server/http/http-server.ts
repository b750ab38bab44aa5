import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type HttpTimeouts = {
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number;
  /** For receiving a request's head, and the whole of it; the answer may take as long as it takes. */
  readonly headMs: number;
  readonly requestMs: number;
  /** How often the two are looked at. */
  readonly checkMs: number;
};

export type HttpServer = {
  readonly server: Server;
  /** Takes no more connections, closes each when its answer is out, and all of them after `seconds`. */
  drain(seconds: number): Promise<void>;
};

const TIMEOUTS: HttpTimeouts = {
  // A person thinks longer between two turns than Node's 5 s; connecting anew costs each turn a round trip.
  keepAliveMs: 75_000,
  headMs: 60_000,
  requestMs: 300_000,
  checkMs: 15_000,
};

/** The largest head of a coding agent is 1.7 KB; beyond this it is a 431. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Node's HTTP server with time-outs that bound what a client can hold open, and a drain that waits for nobody idle. */
export function createHttpServer(timeouts: Partial<HttpTimeouts> = {}): HttpServer {
  const { keepAliveMs, headMs, requestMs, checkMs } = { ...TIMEOUTS, ...timeouts };
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  /** Answers of each connection that are not over. */
  const open = new Map<Socket, Set<ServerResponse>>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    const answers = new Set<ServerResponse>();
    open.set(socket, answers);
    socket.once('close', () => {
      open.delete(socket);
      for (const res of answers) closeUnsent(res);
    });
  });
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answers = open.get(socket);
    answers?.add(res);
    res.once('close', () => {
      answers?.delete(res);
      if (draining && answers?.size === 0) socket.destroySoon();
    });
  });

  return {
    server,
    async drain(seconds) {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Node's own list of idle connections lacks those that have not sent a request yet.
      for (const [socket, answers] of open) if (answers.size === 0) socket.destroy();
      const deadline = setTimeout(() => server.closeAllConnections(), seconds * 1000);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/** Node tells only the answer that has the connection of its end, not those of pipelined requests behind it. */
function closeUnsent(res: ServerResponse): void {
  if (res.socket !== null) return;
  res.destroyed = true;
  res.emit('close');
}
