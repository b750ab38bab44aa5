import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import { rawClient, rawRequest } from './raw-client-for-tests.ts';
import { startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

let odd: OddEngine;
let warden: TestWarden;
beforeAll(async () => {
  odd = await startOddEngine((_req, res, body) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ length: body.length, text: JSON.parse(body.toString()).prompt ?? null }));
  });
  warden = await startTestWarden({ fleets: [odd.engine], config: { limits: { max_body_mb: 1 } } });
});
afterAll(async () => {
  await warden.close();
  await odd.engine.close();
});
beforeEach(() => {
  odd.paths.length = 0;
});

const bodyOf = (prompt: string): string => JSON.stringify({ model: TEST_MODEL, prompt });
const BODY = bodyOf('x');

/** Writes the bytes and gives all that comes until the server closes. */
async function exchange(bytes: string): Promise<string> {
  const client = await rawClient(warden.url);
  client.write(bytes);
  return client.closed();
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

describe('a request that two servers could read differently', () => {
  const chunked = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  it.each([
    ['content-length and transfer-encoding', ['content-length: 5', 'transfer-encoding: chunked'], chunked],
    ['transfer-encoding and content-length', ['transfer-encoding: chunked', 'content-length: 5'], chunked],
    ['two lengths', [`content-length: ${BODY.length}`, 'content-length: 3'], BODY],
    ['a list of lengths', [`content-length: ${BODY.length}, ${BODY.length}`], BODY],
    ['a length with a sign', [`content-length: +${BODY.length}`], BODY],
    ['a negative length', ['content-length: -1'], BODY],
    ['a length in hexadecimal', ['content-length: 0x10'], BODY],
    ['chunked that is not last', ['transfer-encoding: chunked, identity'], chunked],
    ['an encoding nobody knows', ['transfer-encoding: xchunked'], chunked],
    ['a space before the colon', [`content-length : ${BODY.length}`], BODY],
    ['a folded header', ['x-a: b', ' content-length: 5', `content-length: ${BODY.length}`], BODY],
    ['a bare line feed in a header', ['x-a: b\ntransfer-encoding: chunked', `content-length: ${BODY.length}`], BODY],
    ['a zero byte in a header', ['x-a: b\0c', `content-length: ${BODY.length}`], BODY],
    ['a bad chunk size', ['transfer-encoding: chunked'], `zz\r\n${BODY}\r\n0\r\n\r\n`],
    ['no host', null, ''],
  ])('is refused and the connection closed: %s', async (_name, headers, body) => {
    const head = headers === null ? '' : `host: 127.0.0.1\r\n${headers.join('\r\n')}\r\n`;
    const answer = await exchange(
      `POST /v1/completions HTTP/1.1\r\n${head}\r\n${body}POST /sleep HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(400);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(odd.paths).toEqual([]);
  });
});

describe('bytes that are no request', () => {
  it.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version nobody knows', 'GET / HTTP/9.9\r\nhost: 127.0.0.1\r\n\r\n'],
    ['a method nobody knows', 'BREW /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
  ])('are refused and the connection closed: %s', async (_name, bytes) => {
    expect(statusOf(await exchange(bytes))).toBe(400);
    expect(odd.paths).toEqual([]);
  });
});

describe('headers without end', () => {
  it('are cut off with a 431: one that is too long', async () => {
    const answer = await exchange(
      `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(431);
  });

  it('are cut off with a 431: too many of them', async () => {
    const flood = Array.from({ length: 5000 }, (_, index) => `x-${index}: ${index}\r\n`).join('');
    expect(statusOf(await exchange(`POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n${flood}\r\n`))).toBe(431);
  });

  it('are cut off with a 431: a target that is too long', async () => {
    expect(statusOf(await exchange(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`))).toBe(431);
  });
});

describe('engine administration', () => {
  const ADMIN = [
    '/sleep',
    '/wake_up',
    '/reset_prefix_cache',
    '/collective_rpc',
    '/v1/load_lora_adapter',
    '/invocations',
  ];
  const DISGUISES = [
    (path: string) => path,
    (path: string) => `/v1/..${path}`,
    (path: string) => `/v1/messages/../..${path}`,
    (path: string) => `/v1/%2e%2e${path}`,
    (path: string) => `/v1/messages%2f..%2f..${path}`,
    (path: string) => `/v1/.${path}`,
    (path: string) => `/${path}`,
    (path: string) => `/v1/messages;${path}`,
    (path: string) => `/v1/messages#${path}`,
    (path: string) => `/v1\\..${path.replace('/', '\\')}`,
    (path: string) => `http://engine${path}`,
    (path: string) => `HTTP://engine/v1/..${path}`,
    (path: string) => `/V1${path.toUpperCase()}`,
    (path: string) => `/v1/messages\t${path}`,
    (path: string) => path.slice(1),
  ];

  it.each(ADMIN)('is never reached: %s', async (path) => {
    for (const disguise of DISGUISES) {
      for (const method of ['POST', 'GET', 'OPTIONS']) {
        const answer = await exchange(
          `${method} ${disguise(path)} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
        );
        expect([400, 404, 405]).toContain(statusOf(answer));
      }
    }
    expect(odd.paths).toEqual([]);
  });

  it('is not reached by CONNECT or TRACE, nor by a request for the engine as a proxy would take it', async () => {
    for (const line of ['CONNECT engine:8000', 'TRACE /v1/messages', 'OPTIONS *', `GET http://127.0.0.1/metrics`]) {
      const answer = await exchange(`${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
      expect(answer === '' || [400, 404, 405].includes(statusOf(answer))).toBe(true);
    }
    expect(odd.paths).toEqual([]);
  });
});

describe('a request in an unusual form', () => {
  it('is answered in its turn where several come in one packet', async () => {
    const client = await rawClient(warden.url);
    const last = rawRequest('/v1/completions', bodyOf('three'), ['connection: close']);
    client.write(rawRequest('/v1/completions', bodyOf('one')) + rawRequest('/v1/completions', bodyOf('two')) + last);
    const answer = await client.closed();
    expect(answer.match(/"text":"\w+"/g)).toEqual(['"text":"one"', '"text":"two"', '"text":"three"']);
  });

  it('is answered byte by byte as well as in one piece', async () => {
    const client = await rawClient(warden.url);
    client.socket.setNoDelay(true);
    for (const byte of rawRequest('/v1/completions', bodyOf('slow'), ['connection: close'])) {
      client.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await client.closed()).toContain('"text":"slow"');
  });

  it('is taken in chunks and goes on with a length', async () => {
    const half = BODY.length >> 1;
    const parts = [BODY.slice(0, half), BODY.slice(half), ''].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const head =
      'POST /v1/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(await exchange(head + parts.join(''))).toContain('"text":"x"');
    expect(odd.seen.at(-1)).toMatchObject({ 'content-length': String(BODY.length) });
    expect(odd.seen.at(-1)).not.toHaveProperty('transfer-encoding');
  });

  it('gets a 100 before its body where it waits for one, and the engine hears nothing of it', async () => {
    const client = await rawClient(warden.url);
    const headers = ['expect: 100-continue', 'connection: close'];
    const [head, body] = rawRequest('/v1/completions', BODY, headers).split('\r\n\r\n');
    client.write(`${head}\r\n\r\n`);
    expect(await client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.write(body ?? '');
    expect(await client.closed()).toContain('"text":"x"');
    expect(odd.seen.at(-1)).not.toHaveProperty('expect');
  });

  it('is refused where it expects something else', async () => {
    const headers = ['expect: 200-ok', 'connection: close'];
    expect(statusOf(await exchange(rawRequest('/v1/completions', BODY, headers)))).toBe(417);
  });

  it('is answered in HTTP/1.0 without chunks, and the connection closed', async () => {
    const answer = await exchange(
      `POST /v1/completions HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('"text":"x"');
    expect(answer.toLowerCase()).not.toContain('transfer-encoding');
  });

  it('is answered without a body where it is a HEAD', async () => {
    for (const [path, status] of [
      ['/v1/models', 200],
      ['/v1/messages', 405],
      ['/healthz', 200],
    ] as const) {
      const answer = await exchange(`HEAD ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
      expect(statusOf(answer)).toBe(status);
      expect(answer.endsWith('\r\n\r\n')).toBe(true);
    }
  });

  it('is told 426 where it wants a WebSocket, and the connection closed', async () => {
    const upgrade = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\nsec-websocket-version: 13';
    for (const path of ['/v1/realtime', '/v1/messages', '/']) {
      expect(statusOf(await exchange(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${upgrade}\r\n\r\n`))).toBe(426);
    }
    expect(odd.paths).toEqual([]);
  });

  it('is answered as it stands where it offers to go on in HTTP/2', async () => {
    const offer = ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABk'];
    const client = await rawClient(warden.url);
    client.write(rawRequest('/v1/completions', bodyOf('first'), offer));
    await client.until('"text":"first"');
    client.write(rawRequest('/v1/completions', bodyOf('second'), ['connection: close']));
    expect(await client.closed()).toContain('"text":"second"');
    expect(odd.seen.at(-2)).not.toHaveProperty('http2-settings');
  });

  it('is told that it is too large before its body has come, and the connection closed', async () => {
    const answer = await exchange(
      'POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 99999999\r\n\r\n{"model":',
    );
    expect(statusOf(answer)).toBe(413);
  });
});
