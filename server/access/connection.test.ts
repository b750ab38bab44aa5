import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, createConnectionReader } from './connection.ts';

/** What a real request over loopback is read as. */
async function read(trusted: readonly string[], headers: Record<string, string> = {}): Promise<Connection> {
  const reader = createConnectionReader(trusted);
  const server = createServer((req, res) => void res.end(JSON.stringify(reader(req))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const connection = (await (await fetch(`http://127.0.0.1:${port}/`, { headers })).json()) as Connection;
  return { ...connection, host: connection.host?.replace(`:${port}`, '') };
}

describe('where a request comes from', () => {
  it('is the connection itself, whatever it says of others', async () => {
    const headers = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https' };
    expect(await read([], headers)).toEqual({ address: '127.0.0.1', isTls: false, host: '127.0.0.1' });
    expect(await read(['10.0.0.0/8'], headers)).toEqual({ address: '127.0.0.1', isTls: false, host: '127.0.0.1' });
  });

  it('is what a trusted proxy says', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
    expect(await read(['127.0.0.0/8'], headers)).toEqual({ address: '203.0.113.7', isTls: true, host: '127.0.0.1' });
    const named = { ...headers, 'x-forwarded-host': 'invented.example, warden.example.org' };
    expect(await read(['127.0.0.0/8'], named)).toMatchObject({ host: 'warden.example.org' });
    expect(await read([], named)).toMatchObject({ host: '127.0.0.1' });
    expect(await read(['127.0.0.1'], { 'x-forwarded-for': '2001:db8::1' })).toMatchObject({
      address: '2001:db8::1',
      isTls: false,
    });
  });

  it('is the last address that is no proxy: those before it may be invented', async () => {
    const headers = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7, 10.0.0.9' };
    expect(await read(['127.0.0.1', '10.0.0.0/8'], headers)).toMatchObject({ address: '203.0.113.7' });
  });

  it('is the proxy where it says nothing of use', async () => {
    expect(await read(['127.0.0.1'], { 'x-forwarded-for': 'unknown, <b>' })).toMatchObject({ address: '127.0.0.1' });
  });
});
