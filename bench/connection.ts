import { connect, type Socket } from 'node:net';

/** What became of one request; times in ms from the moment its first byte was written. */
export type Exchanged = { readonly status: number; readonly ttfbMs: number; readonly totalMs: number };

export type Connection = {
  /** One request at a time. `onChunk` sees the bytes of the answer as they come, heads and framing included. */
  exchange(request: Buffer, onChunk?: (chunk: Buffer) => void): Promise<Exchanged>;
  close(): void;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** A kept connection that knows just enough of HTTP to see where an answer's body begins and ends. */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  let socket = await dial(hostname, Number(port));
  return {
    async exchange(request, onChunk) {
      // A server may have closed the connection after the answer before.
      if (socket.destroyed || socket.readableEnded) socket = await dial(hostname, Number(port));
      return exchangeOn(socket, request, onChunk);
    },
    close: () => void socket.destroy(),
  };
}

function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

function exchangeOn(socket: Socket, request: Buffer, onChunk?: (chunk: Buffer) => void): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let head: AnswerHead | null = null;
    let before: Buffer | null = null;
    let ttfbMs = 0;
    let received = 0;
    let tail: Buffer = Buffer.alloc(0);

    const stop = (): void => {
      socket.off('data', onData).off('close', onClose).off('error', onError);
    };
    const finish = (): void => {
      stop();
      if (head?.closes === true) socket.destroy();
      resolve({ status: head?.status ?? 0, ttfbMs, totalMs: performance.now() - started });
    };
    const onBody = (bytes: Buffer): void => {
      if (bytes.length === 0) return;
      if (received === 0) ttfbMs = performance.now() - started;
      received += bytes.length;
      tail = bytes.length >= LAST_CHUNK.length ? bytes : Buffer.concat([tail, bytes]).subarray(-LAST_CHUNK.length);
      if (head?.length === received || (head?.length === null && tail.subarray(-5).equals(LAST_CHUNK))) finish();
    };
    const onData = (chunk: Buffer): void => {
      onChunk?.(chunk);
      if (head !== null) {
        onBody(chunk);
        return;
      }
      const all: Buffer = before === null ? chunk : Buffer.concat([before, chunk]);
      const end = all.indexOf(HEAD_END);
      before = all;
      if (end < 0) return;
      head = readHead(all.subarray(0, end).toString('latin1'));
      if (head.length === 0) finish();
      else onBody(all.subarray(end + HEAD_END.length));
    };
    const onClose = (): void => {
      // Without a length the end of the connection is the end of the body.
      if (head?.closes === true && head.length === null) finish();
      else onError(new Error('the connection was closed in the middle of an answer'));
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    socket.on('data', onData).on('close', onClose).on('error', onError);
    socket.write(request);
  });
}

type AnswerHead = { readonly status: number; readonly length: number | null; readonly closes: boolean };

function readHead(text: string): AnswerHead {
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  return {
    status: Number(text.slice(9, 12)),
    length: length === undefined ? null : Number(length),
    closes: /\r\nconnection: *close/i.test(text),
  };
}
