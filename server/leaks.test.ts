import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browser, makeKey, PASSWORD, signIn, startGuardedWarden } from './access-fixtures-for-tests.ts';
import { API_ROUTES } from './api/routes.ts';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import { rawClient } from './raw-client-for-tests.ts';
import { eventually, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

/*
 * What people say to models, what these answer, and what opens doors is sent through everything there is, on good ways
 * and on bad ones; then all that was written anywhere is searched for it.
 */

const CANARIES = {
  prompt: 'canary-of-the-prompt',
  system: 'canary-of-the-system-prompt',
  tool: 'canary-of-a-tool-result',
  answer: 'canary-of-the-answer',
  engineError: 'canary-of-an-engine-error',
  rawSession: '5e5510aa-cafe-4bad-8a1d-canary000001',
  userId: 'user_canary_account__session_canary-of-the-user-id',
  cacheKey: 'canary-of-the-prompt-cache-key',
  engineKey: 'canary-of-the-engine-key',
  wrongKey: 'lmw_canary-of-a-wrong-key',
  foreignKey: 'sk-canary-of-a-key-of-another-service',
  wrongPassword: 'canary-of-a-wrong-password',
  nameOfNobody: 'canary-of-a-password-in-the-field-of-the-name',
  newPassword: 'canary-of-a-new-password',
  metricsToken: 'canary-of-the-metrics-token',
  header: 'canary-of-a-header-of-the-client',
  query: 'canary-of-the-query',
} as const;

const BODY = {
  model: TEST_MODEL,
  max_tokens: 50,
  system: CANARIES.system,
  metadata: { user_id: CANARIES.userId },
  prompt_cache_key: CANARIES.cacheKey,
  messages: [
    { role: 'user', content: CANARIES.prompt },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: { path: CANARIES.tool } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: CANARIES.tool }] },
  ],
};

type Way = 'whole' | 'stream' | 'refused' | 'broken' | 'garbage' | 'silent' | 'cut';
let way: Way = 'whole';
let odd: OddEngine;
let warden: TestWarden;
let log = '';
let secrets: Record<string, string> = {};

beforeAll(async () => {
  odd = await startOddEngine((_req, res, body) => {
    const echo = `${CANARIES.engineError}: ${body.toString()}`;
    if (way === 'whole')
      res.end(JSON.stringify({ content: CANARIES.answer, usage: { input_tokens: 9, output_tokens: 3 } }));
    else if (way === 'refused')
      res.writeHead(400, { 'content-type': 'application/json', 'x-error': CANARIES.engineError }).end(echo);
    else if (way === 'broken') res.writeHead(500).end(`Traceback (most recent call last): ${echo}`);
    else if (way === 'garbage') res.socket?.end(`HTTP/1.1 200 ${CANARIES.engineError}\r\n${echo}\r\n\r\n`);
    else if (way === 'silent') res.socket?.destroy();
    else {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(`event: content_block_delta\ndata: {"delta":{"text":"${CANARIES.answer}"}}\n\n`);
      setTimeout(() => (way === 'cut' ? res.socket?.destroy() : res.end('data: {"type":"message_stop"}\n\n')), 20);
    }
  });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const started = await startGuardedWarden({
    fleets: [odd.engine],
    model: { api_key: CANARIES.engineKey },
    config: { limits: { engine_away_seconds: 0 } },
    access: { metricsToken: CANARIES.metricsToken },
    log: pino({ level: 'trace' }, sink),
  });
  warden = started.warden;
  const key = await makeKey(started.admin, { name: 'canary holder' });
  secrets = { ...CANARIES, key, password: PASSWORD, cookie: started.admin.cookie?.split('=')[1] ?? '' };
  await sendEverything(key);
});
afterAll(async () => {
  await warden.close();
  await odd.engine.close();
});

async function sendEverything(key: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    'x-claude-code-session-id': CANARIES.rawSession,
    'x-session-id': CANARIES.rawSession,
    'x-custom': CANARIES.header,
    cookie: `other=${CANARIES.header}`,
  };
  const send = async (path: string, body: unknown, more: Record<string, string> = {}): Promise<void> => {
    const answer = await fetch(`${warden.url}${path}?q=${CANARIES.query}&api_key=${key}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    // A stream that is cut rejects; that is the point of it.
    await answer.text().catch(() => '');
  };
  for (way of ['whole', 'stream', 'refused', 'broken', 'garbage', 'silent', 'cut'] as const) {
    for (const path of ['/v1/messages', '/v1/chat/completions', '/v1/completions', '/v1/responses', '/v1/embeddings']) {
      await send(path, {
        ...BODY,
        prompt: CANARIES.prompt,
        input: CANARIES.prompt,
        stream: way === 'stream' || way === 'cut',
      });
    }
  }
  way = 'whole';
  await send('/v1/messages', `{"model":"${TEST_MODEL}","messages":[{"content":"${CANARIES.prompt}"`);
  await send('/v1/messages', { ...BODY, model: `unknown ${CANARIES.prompt}` });
  await send('/v1/messages', BODY, { 'x-data-parallel-rank': CANARIES.prompt });
  await send('/v1/audio/transcriptions', `--x\r\n\r\n${CANARIES.prompt}`, {
    'content-type': 'multipart/form-data; boundary=x',
  });
  await send('/v1/messages', BODY, { 'x-api-key': CANARIES.wrongKey, authorization: `Bearer ${CANARIES.foreignKey}` });
  await send(`/v1/${CANARIES.query}`, BODY);
  await send(`/api/${CANARIES.query}`, BODY);
  const torn = await rawClient(warden.url);
  torn.write(
    `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-length: 999\r\n\r\n${JSON.stringify(BODY)}`,
  );
  torn.socket.destroy();

  const login = browser(warden);
  await login.request('POST', '/api/session', { name: 'admin', password: CANARIES.wrongPassword });
  await login.request('POST', '/api/session', { name: CANARIES.nameOfNobody, password: CANARIES.wrongPassword });
  await login.request('POST', '/api/session', `{"name":"admin","password":"${CANARIES.wrongPassword}`);
  const viewer = await signIn(warden, 'vera');
  await viewer.request('PATCH', '/api/session/password', { current: PASSWORD, password: CANARIES.newPassword });
}

const entries = (): readonly (readonly [string, string])[] => Object.entries(secrets);
/** The names of the canaries that are found in a text. */
const found = (text: string): readonly string[] =>
  entries()
    .filter(([, value]) => text.includes(value))
    .map(([name]) => name);

/** Every file of the data folder but the configuration, which its owner wrote. */
function files(): readonly (readonly [string, string])[] {
  return readdirSync(warden.dataDir)
    .filter((name) => name !== 'warden.yaml')
    .map((name) => [name, readFileSync(join(warden.dataDir, name), 'latin1')]);
}

describe('nothing of what was said, and nothing that opens a door', () => {
  it('came to nothing in this test: the requests are there', async () => {
    const admin = await signIn(warden, 'admin');
    await eventually(async () => {
      const { requests } = await (await admin.request('GET', '/api/requests?limit=1000')).json();
      expect(requests.length).toBeGreaterThan(20);
    });
    expect(log).toContain('"level"');
    expect(new Set(odd.seen.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${CANARIES.engineKey}`]),
    );
    expect(odd.bodies.some((body) => body.includes(CANARIES.prompt))).toBe(true);
  });

  it('is in the log', () => {
    expect(found(log)).toEqual([]);
  });

  it('is in an answer of the console, or in the metrics', async () => {
    const admin = await signIn(warden, 'admin');
    const paths = API_ROUTES.filter(({ method }) => method === 'GET').map(({ path }) =>
      path.source
        .slice(1, -1)
        .replace(/\\([/.])/g, '$1')
        .replace(/\(\?<(\w+)>[^)]*\)/g, (_, name: string) => (name === 'name' ? TEST_MODEL : '1')),
    );
    for (const path of [...paths, '/metrics', '/healthz', '/readyz', '/v1/models', '/api/requests?limit=1000']) {
      const answer = await admin.request('GET', path);
      const text = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      expect([path, found(text)]).toEqual([path, []]);
    }
  });

  it('is in a file, neither while the process runs nor after its end', async () => {
    const running = files();
    expect(running.map(([name]) => name)).toContain('warden.db-wal');
    for (const [name, text] of running) expect([name, found(text)]).toEqual([name, []]);
    await warden.restart();
    for (const [name, text] of files()) expect([name, found(text)]).toEqual([name, []]);
  });

  it('comes to a client from the engine: its key', async () => {
    for (way of ['whole', 'refused', 'broken'] as const) {
      const answer = await fetch(`${warden.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': secrets.key ?? '' },
        body: JSON.stringify(BODY),
      });
      expect(`${JSON.stringify([...answer.headers])} ${await answer.text()}`).not.toContain(CANARIES.engineKey);
    }
  });
});
