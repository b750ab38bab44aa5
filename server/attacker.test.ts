import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  makeKey,
  PASSWORD,
  signIn,
  startGuardedWarden,
  turn,
} from './access-fixtures-for-tests.ts';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import { rawClient } from './raw-client-for-tests.ts';
import { startTestWarden, type TestWarden } from './warden-for-tests.ts';

/*
 * Somebody who can reach the port and wants in: to the console, to its API, to the engine behind. Nothing that is tried
 * here may come through to the engine, change anything, or be told anything. What the shapes of single requests do to
 * the proxy is in raw-requests.test.ts.
 */

const TOKEN = 'a token for Prometheus';

let odd: OddEngine;
let warden: TestWarden;
let admin: Browser;
let key: string;
beforeAll(async () => {
  odd = await startOddEngine((_req, res) => void res.end('{"secret":"of the engine"}'), 1);
  const started = await startGuardedWarden({
    fleets: [odd.engine],
    config: { limits: { max_body_mb: 1 } },
    access: { metricsToken: TOKEN },
  });
  warden = started.warden;
  admin = started.admin;
  key = await makeKey(admin);
});
afterAll(async () => {
  await warden.close();
  await odd.engine.close();
});
beforeEach(() => {
  odd.paths.length = 0;
});

/** Sends bytes as they are and gives all that comes until the server closes. */
async function raw(bytes: string, to: TestWarden = warden): Promise<string> {
  const client = await rawClient(to.url);
  client.write(bytes);
  return client.closed();
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const SECRETS = /"models":|"people":|"keys":|warden_build_info|of the engine|"version":/;

/** What must hold after each attempt. */
function expectNothing(answer: string): void {
  expect(answer).not.toMatch(SECRETS);
  expect(odd.paths).toEqual([]);
}

const BODY = JSON.stringify(turn());
const post = (path: string, body: string, headers: readonly string[]): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${headers.join('\r\n')}\r\n\r\n${body}`;

describe('a request hidden in another', () => {
  const hidden = 'GET /api/people HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
  it.each([
    [
      'content-length against transfer-encoding',
      ['content-length: 4', 'transfer-encoding: chunked'],
      `0\r\n\r\n${hidden}`,
    ],
    [
      'transfer-encoding against content-length',
      ['transfer-encoding: chunked', `content-length: ${hidden.length}`],
      `0\r\n\r\n${hidden}`,
    ],
    ['two content-lengths', ['content-length: 0', `content-length: ${hidden.length}`], hidden],
    ['a folded header', ['x-a: b', '  transfer-encoding: chunked', 'content-length: 5'], `0\r\n\r\n${hidden}`],
    ['a bare line feed', ['x-a: b\ntransfer-encoding: chunked', 'content-length: 5'], `0\r\n\r\n${hidden}`],
    ['an encoding in disguise', ['transfer-encoding: \x0bchunked', 'content-length: 5'], `0\r\n\r\n${hidden}`],
    ['a chunk extension with a line feed', ['transfer-encoding: chunked'], `2;\nxx\r\n${hidden}`],
  ])('is not found: %s', async (_name, headers, body) => {
    for (const path of ['/v1/messages', '/api/session', '/login']) {
      const answer = await raw(post(path, body, headers));
      expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
      expect(statusesOf(answer).some((status) => status < 400)).toBe(false);
      expectNothing(answer);
    }
  });

  it('is not found in the body of a request that was refused', async () => {
    const answer = await raw(post('/v1/messages', hidden, [`content-length: ${hidden.length + 5}`]));
    expect(statusesOf(answer)).toEqual([401]);
    const toApi = await raw(post('/api/keys', hidden, [`content-length: ${hidden.length + 5}`]));
    expect(statusesOf(toApi)).toEqual([401]);
    expectNothing(answer + toApi);
  });
});

describe('a path written in another way', () => {
  it.each([
    '//api/people',
    '/api//people',
    '/v1/../api/people',
    '/login/../api/people',
    '/_next/static/../../api/people',
    '/_next/static/..%2f..%2fapi/people',
    '/_next/static/%2e%2e/%2e%2e/stats',
    '/%2e%2e/api/people',
    '/login/%2e%2e/stats',
    '/api/%70eople',
    '/API/people',
    '/api/people/',
    '/api/people;/login',
    '/api/people%00',
    '/api\\people',
    '/.//api/people',
    '/login%2f..%2fstats',
    '/healthz/../api/people',
    '/metrics/',
    'http://127.0.0.1/api/people',
    'http://127.0.0.1:8090/metrics',
    'https://user:pass@127.0.0.1/api/people',
    '*',
    '/_next/image?url=http://169.254.169.254/latest&w=64&q=75',
    '/_next/data/build/stats.json',
    '/v1/messages/../../sleep',
    '/v1//messages',
    '/sleep',
    '/v1/load_lora_adapter',
    '/collective_rpc',
  ])('%s opens nothing', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await raw(
        `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
      );
      const isLogin = /^location: \/login/im.test(answer);
      // A file that every browser may have, if it were there.
      const isMissing = answer.includes('no pages in this test');
      expect([method, isLogin || isMissing || statusOf(answer) >= 400]).toEqual([method, true]);
      expectNothing(answer);
    }
  });

  it('does not lead a key to what is not forwarded', async () => {
    for (const path of [
      '/v1/../sleep',
      '/v1/%2e%2e/sleep',
      '/v1/load_lora_adapter',
      '//v1/messages',
      '/v1/messages/',
    ]) {
      const answer = await raw(
        post(path, BODY, [`content-length: ${BODY.length}`, `x-api-key: ${key}`, 'connection: close']),
      );
      expect([path, statusOf(answer) >= 400 || /^location: \/login/im.test(answer)]).toEqual([path, true]);
      expectNothing(answer);
    }
  });
});

describe('a method that means something else', () => {
  it.each(['TRACE', 'CONNECT', 'PUT', 'PROPFIND', 'PURGE'])('%s gets nothing', async (method) => {
    const answer = await raw(
      `${method} /api/people HTTP/1.1\r\nhost: 127.0.0.1\r\nx-secret: back\r\nconnection: close\r\n\r\n`,
    );
    expect(answer === '' || statusOf(answer) >= 400).toBe(true);
    expect(answer).not.toContain('x-secret');
    expectNothing(answer);
  });

  it('is not taken from a header or the query', async () => {
    const viewer = await signIn(warden, 'vera');
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await viewer.request('GET', '/api/people?_method=POST', undefined, { [name]: 'DELETE' });
      expect(answer.status).toBe(403);
    }
    expect((await (await admin.request('GET', '/api/people')).json()).people).toHaveLength(2);
  });

  it('is not taken from an upgrade', async () => {
    const offer = ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABk'];
    for (const headers of [
      offer,
      ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-key: x', 'sec-websocket-version: 13'],
    ]) {
      const answer = await raw(`GET /api/people HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      expect([401, 426]).toContain(statusOf(answer));
      expectNothing(answer);
    }
  });
});

describe('a page that its victim has open', () => {
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const attempts: readonly (readonly [string, Record<string, string>])[] = [
    ['of another origin', evil],
    ['of another port of this machine', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
    ['in a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['that hides its origin', { 'sec-fetch-site': 'cross-site', origin: '' }],
    ['of a name that ends like ours', { origin: 'http://127.0.0.1.evil.example', 'sec-fetch-site': 'cross-site' }],
    ['with a name of ours in front', { origin: 'http://127.0.0.1@evil.example', 'sec-fetch-site': 'cross-site' }],
  ];

  it.each(attempts)('%s changes nothing, though the cookie goes with it', async (_name, headers) => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const sent = { ...headers, 'content-type': type };
      const body = { name: 'eve', role: 'admin', password: 'a password of eve' };
      expect((await admin.request('POST', '/api/people', body, sent)).status).toBe(403);
      expect((await admin.request('DELETE', '/api/session', undefined, sent)).status).toBe(403);
    }
    expect((await admin.request('GET', '/api/people')).status).toBe(200);
    expect((await (await admin.request('GET', '/api/people')).json()).people).toHaveLength(2);
  });

  it.each(attempts)('%s is shown nothing', async (_name, headers) => {
    const answer = await admin.request('GET', '/api/people', undefined, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(attempts)('%s cannot use the models, of a router without keys either', async (_name, headers) => {
    const open = await startTestWarden({ fleets: [odd.engine] });
    for (const path of ['/v1/messages', '/v1/chat/completions', '/v1/models', '/tokenize']) {
      const method = path === '/v1/models' ? 'GET' : 'POST';
      const answer = await browser(open).request(method, path, method === 'GET' ? undefined : turn(), headers);
      expect(answer.status).toBe(403);
      expectNothing(await answer.text());
    }
    const preflight = await browser(open).request('OPTIONS', '/v1/messages', undefined, {
      ...headers,
      'access-control-request-method': 'POST',
    });
    expect(preflight.status).toBe(403);
    await open.close();
  });

  it('may use the models where its origin is allowed, without the cookie, and nothing else', async () => {
    const origin = 'https://chat.example.org';
    const { warden: own, admin: its } = await startGuardedWarden({
      fleets: [odd.engine],
      access: { allowedOrigins: [origin] },
    });
    const secret = await makeKey(its);
    const headers = { origin, 'sec-fetch-site': 'cross-site' };
    const ask = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const preflight = await browser(own).request('OPTIONS', '/v1/messages', undefined, { ...headers, ...ask });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const good = await browser(own).request('POST', '/v1/messages', turn(), { ...headers, 'x-api-key': secret });
    expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect((await browser(own).request('POST', '/v1/messages', turn(), headers)).status).toBe(401);
    expect((await its.request('POST', '/v1/messages', turn(), headers)).status).toBe(401);
    expect((await its.request('GET', '/api/people', undefined, headers)).status).toBe(403);
    await own.close();
  });
});

describe('a name that was rebound to this machine', () => {
  const hosts = [
    'evil.example',
    'evil.example:8090',
    'localhost.evil.example',
    '127.0.0.1.nip.example',
    'x',
    '169.254.169.254',
  ];
  it.each(hosts)('%s gets nothing, of a router without a password either', async (host) => {
    const open = await startTestWarden({ fleets: [odd.engine] });
    for (const to of [open, warden]) {
      for (const line of [
        'GET /api/models',
        'GET /v1/models',
        'GET /metrics',
        'GET /',
        'POST /v1/messages',
        'PATCH /api/settings',
      ]) {
        const answer = await raw(
          `${line} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
          to,
        );
        expect([line, statusOf(answer)]).toEqual([line, 421]);
        expectNothing(answer);
      }
    }
    await open.close();
  });

  it('is not believed of a header beside the Host', async () => {
    const answer = await raw(
      'GET /api/models HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: 127.0.0.1\r\nforwarded: host=127.0.0.1\r\nconnection: close\r\n\r\n',
    );
    expect(statusOf(answer)).toBe(421);
  });

  it('does not matter for a health check, nor for whoever has a key or the token for the metrics', async () => {
    const health = await raw('GET /healthz HTTP/1.1\r\nhost: anything\r\nconnection: close\r\n\r\n');
    expect(statusOf(health)).toBe(200);
    const models = await raw(
      `GET /v1/models HTTP/1.1\r\nhost: warden.cluster.local\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`,
    );
    expect(statusOf(models)).toBe(200);
    const scrape = `GET /metrics HTTP/1.1\r\nhost: warden:8090\r\nconnection: close\r\n`;
    expect(statusOf(await raw(`${scrape}authorization: Bearer ${TOKEN}\r\n\r\n`))).toBe(200);
    expect(statusOf(await raw(`${scrape}authorization: Bearer ${TOKEN}x\r\n\r\n`))).toBe(421);
  });
});

describe('guessing', () => {
  it('a password ends after a few attempts, with the time to wait, and the right one is then no better', async () => {
    const { warden: own } = await startGuardedWarden({ fleets: [odd.engine] });
    const guess = (password: string) => browser(own).request('POST', '/api/session', { name: 'admin', password });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(`guess ${index}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
    expect(statuses.some((status) => status < 400)).toBe(false);
    const late = await guess(PASSWORD);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    await own.close();
  });

  it('gains no attempts by claiming other addresses', async () => {
    const { warden: own } = await startGuardedWarden({ fleets: [odd.engine] });
    const statuses: number[] = [];
    for (let index = 0; index < 14; index += 1) {
      const headers = {
        'x-forwarded-for': `10.0.0.${index}`,
        forwarded: `for=10.0.0.${index}`,
        'x-real-ip': `10.0.0.${index}`,
      };
      const body = { name: 'admin', password: `guess ${index}` };
      statuses.push((await browser(own).request('POST', '/api/session', body, headers)).status);
    }
    expect(statuses).toContain(429);
    await own.close();
  });

  it('tells a name that is there from none by nothing', async () => {
    const answer = async (name: string) => {
      const got = await browser(warden).request('POST', '/api/session', { name, password: 'wrong password' });
      return [got.status, await got.text()];
    };
    expect(await answer('admin')).toEqual(await answer('nobody'));
  });

  it('a key gets the same answer, however much of it is right', async () => {
    const answers = new Set<string>();
    for (const guess of [
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      key.slice(0, 8),
      'lmw_',
      'x',
      ' ',
      `${key} ${key}`,
    ]) {
      const got = await browser(warden).request('POST', '/v1/messages', turn(), { authorization: `Bearer ${guess}` });
      answers.add(`${got.status} ${await got.text()}`);
    }
    expect(answers.size).toBeLessThanOrEqual(2);
    expect([...answers].every((answer) => answer.startsWith('401'))).toBe(true);
    expect(odd.paths).toEqual([]);
  });
});

describe('a cookie', () => {
  it('that was stolen is worth nothing after its owner has signed out', async () => {
    const victim = await signIn(warden, 'vera');
    const stolen = browser(warden);
    stolen.cookie = victim.cookie;
    expect((await stolen.request('GET', '/api/status')).status).toBe(200);
    await victim.request('DELETE', '/api/session');
    stolen.cookie = victim.cookie === '' ? null : stolen.cookie;
    expect((await stolen.request('GET', '/api/status')).status).toBe(401);
  });

  it('of a person is worth nothing after their password was changed, or they were removed', async () => {
    const body = { name: 'temp', role: 'viewer', password: 'a first password' };
    const { id } = await (await admin.request('POST', '/api/people', body)).json();
    const stolen = await signIn(warden, 'temp', 'a first password');
    await admin.request('PATCH', `/api/people/${id}`, { password: 'a second password' });
    expect((await stolen.request('GET', '/api/status')).status).toBe(401);
    const again = await signIn(warden, 'temp', 'a second password');
    await admin.request('DELETE', `/api/people/${id}`);
    expect((await again.request('GET', '/api/status')).status).toBe(401);
  });

  it('that the attacker put into the browser is another one after signing in', async () => {
    const victim = browser(warden);
    const planted = `warden_session=${'A'.repeat(43)}`;
    victim.cookie = planted;
    await victim.request('POST', '/api/session', { name: 'vera', password: PASSWORD });
    expect(victim.cookie).not.toBe(planted);
    const attacker = browser(warden);
    attacker.cookie = planted;
    expect((await attacker.request('GET', '/api/status')).status).toBe(401);
  });

  it('cannot be read by scripts, nor sent along by other sites', async () => {
    const answer = await browser(warden).request('POST', '/api/session', { name: 'vera', password: PASSWORD });
    expect(answer.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  });

  it('is not taken from the query, a header of another name, or a malformed one', async () => {
    const token = admin.cookie?.split('=')[1] ?? '';
    const asked = browser(warden);
    expect((await asked.request('GET', `/api/status?warden_session=${token}`)).status).toBe(401);
    for (const cookie of [
      `Warden_Session=${token}`,
      `x=1, warden_session=${token}`,
      `warden_session="${token}"`,
      `__Host-warden=${token}`,
    ]) {
      expect((await asked.request('GET', '/api/status', undefined, { cookie })).status).toBe(401);
    }
    expect((await asked.request('GET', '/api/status', undefined, { authorization: `Bearer ${token}` })).status).toBe(
      401,
    );
  });

  it('of a viewer changes nothing', async () => {
    const viewer = await signIn(warden, 'vera');
    expect((await viewer.request('POST', '/api/keys', { name: 'mine' })).status).toBe(403);
    expect((await viewer.request('POST', '/v1/messages', turn())).status).toBe(403);
    expectNothing('');
  });
});

describe('a key', () => {
  it('is not taken from the query, and does not reach the engine with it', async () => {
    const query = `?api_key=${key}&key=${key}&beta=true`;
    expect((await browser(warden).request('POST', `/v1/messages${query}`, turn())).status).toBe(401);
    expectNothing('');
    await browser(warden).request('POST', `/v1/messages${query}`, turn(), { 'x-api-key': key, 'x-goog-api-key': key });
    expect(odd.paths).toEqual(['/v1/messages?beta=true']);
    expect(JSON.stringify(odd.seen.at(-1))).not.toContain(key);
  });

  it('that was revoked is over at once', async () => {
    const secret = await makeKey(admin, { name: 'to be revoked' });
    const send = () => browser(warden).request('POST', '/v1/messages', turn(), { 'x-api-key': secret });
    expect((await send()).status).toBe(200);
    const { keys } = await (await admin.request('GET', '/api/keys')).json();
    const { id } = keys.find((one: { name: string }) => one.name === 'to be revoked');
    await admin.request('DELETE', `/api/keys/${id}`);
    expect((await send()).status).toBe(401);
  });

  it('opens nothing of the console', async () => {
    for (const path of ['/api/status', '/api/keys', '/api/people', '/api/audit', '/metrics']) {
      const answer = await fetch(warden.url + path, { headers: { authorization: `Bearer ${key}`, 'x-api-key': key } });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
});

describe('too much of everything', () => {
  it('is refused: a body', async () => {
    const length = 2 * 1024 * 1024;
    const answer = await raw(
      post('/v1/messages', 'x'.repeat(1000), [`content-length: ${length}`, `x-api-key: ${key}`]),
    );
    expect(statusOf(answer)).toBe(413);
    const login = await raw(post('/api/session', `{"name":"${'x'.repeat(70_000)}"`, ['content-length: 200000']));
    expect(statusOf(login)).toBe(413);
    expectNothing(answer);
  });

  it('is refused: a head', async () => {
    const answer = await raw(`GET /api/people HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${'a=b; '.repeat(8000)}\r\n\r\n`);
    expect(statusOf(answer)).toBe(431);
  });

  it('is refused: a password that takes long to hash', async () => {
    const password = 'x'.repeat(40_000);
    expect((await browser(warden).request('POST', '/api/session', { name: 'admin', password })).status).toBe(400);
  });

  it('does not keep others out: connections that say nothing', async () => {
    const silent = await Promise.all(Array.from({ length: 200 }, () => rawClient(warden.url)));
    for (const client of silent) client.write('POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: ');
    expect((await admin.request('GET', '/api/status')).status).toBe(200);
    expect((await browser(warden).request('POST', '/v1/messages', turn(), { 'x-api-key': key })).status).toBe(200);
    for (const client of silent) client.socket.destroy();
  });
});
