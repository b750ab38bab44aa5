import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer } from './http-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server whose answers begin at once and end when told. */
async function streamingServer() {
  const { server, drain } = createHttpServer();
  const ends: (() => void)[] = [];
  server.on('request', (req, res) => {
    req.resume();
    res.write('begun ');
    ends.push(() => res.end('ended'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => drain(0));
  const { port } = server.address() as AddressInfo;
  return { drain, port, endAll: () => ends.splice(0).forEach((end) => void end()) };
}

async function client(port: number, bytes: string) {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // A connection that is cut may be reset.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  socket.write(bytes);
  const until = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) await new Promise((resolve) => socket.once('data', resolve));
  };
  return { closed, until };
}

const GET = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

describe('draining', () => {
  it('lets answers under way end, then closes their connections, though these were to be kept', async () => {
    const { drain, port, endAll } = await streamingServer();
    const streaming = await client(port, GET);
    await streaming.until('begun');
    const drained = drain(600);
    endAll();
    await drained;
    expect(await streaming.closed).toContain('ended');
  });

  it('waits for no connection without a request: idle, new, or in the middle of a head', async () => {
    const { drain, port, endAll } = await streamingServer();
    const idle = await client(port, GET);
    await idle.until('begun');
    endAll();
    await idle.until('ended');
    const fresh = await client(port, '');
    const partial = await client(port, 'GET / HTT');
    await drain(600);
    await Promise.all([idle.closed, fresh.closed, partial.closed]);
  });

  it('takes no new connection', async () => {
    const { drain, port, endAll } = await streamingServer();
    const streaming = await client(port, GET);
    await streaming.until('begun');
    const drained = drain(600);
    const refused = await new Promise((resolve) =>
      connect(port, '127.0.0.1').on('error', resolve).on('connect', resolve),
    );
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    endAll();
    await drained;
  });

  it('cuts what has not ended when the time is over', async () => {
    const { drain, port } = await streamingServer();
    const streaming = await client(port, GET);
    await streaming.until('begun');
    await drain(0.05);
    expect(await streaming.closed).not.toContain('ended');
  });
});
