import { connect, type Socket } from 'node:net';

/** A connection on which a test writes the bytes itself. */
export type RawClient = {
  readonly socket: Socket;
  /** All that has come so far. */
  text(): string;
  write(text: string): void;
  /** Resolves when the text has come; rejects when the connection ends before. */
  until(text: string): Promise<string>;
  /** Resolves with all that came when the server has closed the connection, in whatever way. */
  closed(): Promise<string>;
};

export async function rawClient(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let text = '';
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  let over = false;
  const end = (): void => {
    over = true;
    wake();
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.on('end', end).on('close', end).on('error', end);
  await new Promise((resolve) => socket.once('connect', resolve));
  const next = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  return {
    socket,
    text: () => text,
    write: (bytes) => void socket.write(bytes, 'latin1'),
    async until(wanted) {
      while (!text.includes(wanted)) {
        if (over) throw new Error(`closed before ${JSON.stringify(wanted)} came: ${text}`);
        await next();
      }
      return text;
    },
    async closed() {
      while (!over) await next();
      waiting = [];
      socket.destroy();
      return text;
    },
  };
}

/** One request as text, with the headers that each must have. */
export function rawRequest(path: string, body: string, headers: readonly string[] = []): string {
  const all = [
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `POST ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}
