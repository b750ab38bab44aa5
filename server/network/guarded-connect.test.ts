import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultLimits } from '#lib/config/schema.ts';
import { generateToken } from '#server/engines/generate-token.ts';
import { probeEngine } from '#server/engines/probe-engine.ts';
import { createVllmAdapter } from '#server/engines/vllm.ts';
import { createUpstreams } from '#server/proxy/upstream.ts';
import { guardedConnect } from './guarded-connect.ts';

/** An engine that sends everyone on to another server, and the server where nobody may come. */
let redirecting: Server;
let forbidden: Server;
let visits = 0;
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = (server: Server): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  forbidden = createServer((_req, res) => {
    visits += 1;
    res.end('{"data":[{"id":"m"}]}');
  });
  await listen(forbidden);
  redirecting = createServer((req, res) => {
    res.writeHead(307, { location: urlOf(forbidden) + (req.url ?? '') }).end();
  });
  await listen(redirecting);
});
afterAll(() => {
  for (const server of [redirecting, forbidden]) server.close();
});
beforeEach(() => {
  visits = 0;
});

/** One request of the proxy: its status, or why there was none. */
function send(url: string, upstreams = createUpstreams(defaultLimits())): Promise<string> {
  return new Promise((resolve) => {
    upstreams.send(
      { url, path: '/v1/messages', headers: {}, body: Buffer.from('{}') },
      {
        onResponse: (status) => resolve(`status ${status}`),
        onData: () => true,
        onEnd: () => {},
        onFailure: ({ kind, message }) => resolve(`${kind}: ${message}`),
      },
    );
  });
}

const never = new AbortController().signal;

describe('a redirect of an engine', () => {
  it('is handed on by the proxy and not followed', async () => {
    expect(await send(urlOf(redirecting))).toBe('status 307');
    expect(visits).toBe(0);
  });

  it('is not followed by the poller', async () => {
    const adapter = createVllmAdapter({ url: urlOf(redirecting), apiKey: 'secret' });
    await expect(adapter.facts(never)).rejects.toThrow('a redirect, which is not followed');
    await adapter.close();
    expect(visits).toBe(0);
  });

  it('is not followed by the probe', async () => {
    const target = { url: urlOf(redirecting), apiKey: 'secret' };
    expect((await probeEngine(target, never)).problem?.code).toBe('redirect');
    expect(await generateToken({ ...target, model: 'm' }, Date.now)).toMatchObject({ ok: false, status: 307 });
    expect(visits).toBe(0);
  });
});

describe('an address that hands out credentials', () => {
  const addresses = ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', 'metadata.google.internal'];

  it.each(addresses)('%s is not connected to by the proxy', async (host) => {
    expect(await send(`http://${host}`)).toContain('unreachable: its name leads to a link-local');
  });

  it.each(addresses)('%s is not connected to by the poller and the probe', async (host) => {
    const url = `http://${host}`;
    const adapter = createVllmAdapter({ url, apiKey: null });
    await expect(adapter.facts(never)).rejects.toThrow('link-local or cloud metadata address');
    await adapter.close();
    expect((await probeEngine({ url, apiKey: null }, never)).problem?.message).toContain('link-local');
    expect((await generateToken({ url, apiKey: null, model: 'm' }, Date.now)).said).toContain('link-local');
  });

  it('is looked at when the connection is made, not when the name was entered', async () => {
    const { port } = forbidden.address() as AddressInfo;
    const allowed: string[] = [];
    let address = '127.0.0.1';
    const connect = guardedConnect(
      { timeout: 200 },
      () => allowed,
      (_name, _options, callback) => {
        callback(null, [{ address, family: 4 }]);
      },
    );
    const ask = async () => {
      // A connection for each, so that the name is looked up each time.
      const agent = new Agent({ connect });
      const answer = await request(`http://engine.example:${port}/`, { dispatcher: agent }).then(
        ({ statusCode }) => String(statusCode),
        (error: Error) => error.message,
      );
      await agent.destroy();
      return answer;
    };
    expect(await ask()).toBe('200');
    address = '169.254.169.254';
    expect(await ask()).toContain('engine.example leads to 169.254.169.254');
    allowed.push('engine.example');
    expect(await ask()).not.toContain('leads to');
  });

  it('leaves names and addresses of this machine and the network alone', async () => {
    const { port } = forbidden.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await send(`http://${host}:${port}`)).toBe('status 200');
    }
  });
});
