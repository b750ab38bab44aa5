import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { auditList, keyList, sessionState } from '#lib/contract/access.ts';
import { requestList } from '#lib/contract/activity.ts';
import { openAccess } from './access/access.ts';
import { NO_ACCESS_SETTINGS } from './access/access-settings.ts';
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
import { readSettings } from './settings.ts';
import { temporaryFolder, temporaryStore } from './store/fixtures-for-tests.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWardenOptions } from './warden-for-tests.ts';

let odd: OddEngine;
beforeAll(async () => {
  odd = await startOddEngine((_req, res) => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 60, output_tokens: 7 };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ usage }));
  }, 1);
});
afterAll(() => odd.engine.close());

const log = pino({ level: 'silent' });

async function guarded(options: Partial<TestWardenOptions> = {}) {
  const started = await startGuardedWarden({ fleets: [odd.engine], ...options });
  onTestFinished(() => started.warden.close());
  return started;
}

async function open(options: Partial<TestWardenOptions> = {}) {
  const warden = await startTestWarden({ fleets: [odd.engine], ...options });
  onTestFinished(() => warden.close());
  return warden;
}

const session = async (one: Browser) => sessionState.parse(await (await one.request('GET', '/api/session')).json());
const audit = async (one: Browser, query = '') =>
  auditList.parse(await (await one.request('GET', `/api/audit?${query}`)).json()).entries;

describe('listening elsewhere than on loopback', () => {
  const at = async (host: string, access: Partial<typeof NO_ACCESS_SETTINGS>) =>
    openAccess({
      settings: { ...NO_ACCESS_SETTINGS, ...access },
      host,
      dataDir: temporaryFolder(),
      store: await temporaryStore(),
      wardens: null,
      now: Date.now,
      log,
    });

  it.each(['0.0.0.0', '::', '192.168.1.4', 'gpu-box'])(
    'on %s is refused without a password, with what to do',
    async (host) => {
      const access = await at(host, {});
      expect('kind' in access && access.message).toContain('WARDEN_ADMIN_PASSWORD');
    },
  );

  it.each(['0.0.0.0', 'gpu-box'])('on %s needs a login and keys', async (host) => {
    const access = await at(host, { adminPassword: PASSWORD });
    if ('kind' in access) throw new Error(access.message);
    expect([access.mode(), access.areKeysRequired()]).toEqual(['password', true]);
  });

  it('can begin with the link that is printed', async () => {
    const access = await at('0.0.0.0', { firstRun: true });
    if ('kind' in access) throw new Error(access.message);
    expect([access.mode(), access.areKeysRequired()]).toEqual(['first_run', true]);
    expect(access.firstRun.isGood('x')).toBe(false);
    expect(access.firstRun.isGood(access.firstRun.token)).toBe(true);
    access.firstRun.use();
    expect(access.firstRun.isGood(access.firstRun.token)).toBe(false);
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('on %s needs nothing', async (host) => {
    const access = await at(host, {});
    if ('kind' in access) throw new Error(access.message);
    expect([access.mode(), access.areKeysRequired()]).toEqual(['open', false]);
  });
});

describe('the variables', () => {
  it.each([
    [{ WARDEN_ADMIN_PASSWORD: 'short' }, 'WARDEN_ADMIN_PASSWORD: must have at least 8 characters'],
    [{ WARDEN_FIRST_RUN: 'yes' }, 'WARDEN_FIRST_RUN: must be true or false'],
    [{ WARDEN_REQUIRE_KEYS: 'no' }, 'WARDEN_REQUIRE_KEYS: must be auto or always'],
    [{ WARDEN_ALLOWED_HOSTS: 'https://box' }, 'WARDEN_ALLOWED_HOSTS: must be names'],
    [{ WARDEN_ALLOWED_ORIGINS: 'chat.example.org' }, 'WARDEN_ALLOWED_ORIGINS: must be origins'],
    [{ WARDEN_ALLOWED_ORIGINS: '*' }, 'WARDEN_ALLOWED_ORIGINS: must be origins'],
    [{ WARDEN_TRUSTED_PROXIES: 'nginx' }, 'WARDEN_TRUSTED_PROXIES: must be addresses'],
    [{ WARDEN_TRUSTED_PROXIES: '10.0.0.0/33' }, 'WARDEN_TRUSTED_PROXIES: must be addresses'],
    [{ WARDEN_METRICS_TOKEN: 'short' }, 'WARDEN_METRICS_TOKEN: must have at least 16 characters'],
  ])('are refused where they are wrong: %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
    expect(() => readSettings(env)).not.toThrow(/short\b(?!.*must)/);
  });
});

describe('the first password', () => {
  it('is set on loopback, and from then on the console asks for it', async () => {
    const warden = await open();
    const one = browser(warden);
    expect(await session(one)).toMatchObject({ mode: 'open', role: 'admin', name: null });
    const viewer = await one.request('POST', '/api/people', { name: 'vera', role: 'viewer', password: PASSWORD });
    expect(viewer.status).toBe(409);
    expect((await one.request('POST', '/api/people', { name: 'asha', role: 'admin', password: 'short' })).status).toBe(
      400,
    );
    expect((await one.request('POST', '/api/people', { name: 'asha', role: 'admin', password: PASSWORD })).status).toBe(
      200,
    );
    expect(await session(one)).toMatchObject({ mode: 'password', role: null });
    expect((await one.request('GET', '/api/models')).status).toBe(401);
    const asha = await signIn(warden, 'ASHA');
    expect(await session(asha)).toMatchObject({ role: 'admin', name: 'asha' });

    const { people } = await (await asha.request('GET', '/api/people')).json();
    expect((await asha.request('DELETE', `/api/people/${people[0].id}`)).status).toBe(200);
    expect(await session(browser(warden))).toMatchObject({ mode: 'open' });
  });

  it('of the environment wins over the one that is stored, and ends the sessions of before', async () => {
    const { warden, admin } = await guarded();
    const { people } = await (await admin.request('GET', '/api/people')).json();
    const own = people.find((person: { name: string }) => person.name === 'admin');
    expect(own.password_is_fixed).toBe(true);
    const change = await admin.request('PATCH', `/api/people/${own.id}`, { password: 'another password' });
    expect(change.status).toBe(409);
    await warden.restart();
    expect(await session(admin)).toMatchObject({ name: 'admin' });
  });

  it('cannot be made by the link where there is an admin', async () => {
    const { warden } = await guarded({ access: { firstRun: true } });
    const body = { token: 'x', name: 'eve', password: PASSWORD };
    expect((await browser(warden).request('POST', '/api/first-run', body)).status).toBe(409);
  });
});

describe('a first run', () => {
  /** Leads to this machine alone, and is not written as what the router knows to do so. */
  const NOT_KNOWN_AS_LOOPBACK = '127.1';

  it('answers nothing but the making of the first admin, once, for who has the link', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const warden = await open({ host: NOT_KNOWN_AS_LOOPBACK, access: { firstRun: true } });
    const token = /#first-run=(\S+)/.exec(printed.mock.calls.flat().join(' '))?.[1] ?? '';
    const one = browser(warden);
    expect(await session(one)).toMatchObject({ mode: 'first_run', role: null });
    expect((await one.request('GET', '/')).headers.get('location')).toBe('/login');
    for (const path of ['/api/status', '/api/people', '/metrics', '/v1/models']) {
      expect([path, (await one.request('GET', path)).status]).toEqual([path, 401]);
    }
    const make = (given: string, name: string) =>
      one.request('POST', '/api/first-run', { token: given, name, password: PASSWORD });
    expect((await make('a guess', 'eve')).status).toBe(403);
    expect((await make(token, 'asha')).status).toBe(200);
    expect(await session(one)).toMatchObject({ mode: 'password', role: 'admin', name: 'asha' });
    expect((await make(token, 'eve')).status).toBe(409);
    expect(await audit(one)).toMatchObject([{ action: 'first_run.use', actor: 'asha' }]);
    // Elsewhere than on loopback, the last admin stays.
    const { people } = await (await one.request('GET', '/api/people')).json();
    expect((await one.request('DELETE', `/api/people/${people[0].id}`)).status).toBe(409);
    const plain = await one.request('POST', '/v1/messages', turn());
    expect(plain.status).toBe(200);
    expect((await browser(warden).request('POST', '/v1/messages', turn())).status).toBe(401);
  });
});

describe('people', () => {
  it('are never without an admin', async () => {
    const { admin } = await guarded();
    const { people } = await (await admin.request('GET', '/api/people')).json();
    const { id } = people.find((person: { name: string }) => person.name === 'admin');
    expect((await admin.request('PATCH', `/api/people/${id}`, { role: 'viewer' })).status).toBe(409);
    expect((await admin.request('DELETE', `/api/people/${id}`)).status).toBe(409);
  });

  it('change their own password, which ends their other sessions', async () => {
    const { warden, viewer } = await guarded();
    const other = await signIn(warden, 'vera');
    const wrong = await viewer.request('PATCH', '/api/session/password', { current: 'x', password: 'a new password' });
    expect(wrong.status).toBe(403);
    const right = { current: PASSWORD, password: 'a new password' };
    expect((await viewer.request('PATCH', '/api/session/password', right)).status).toBe(200);
    expect((await viewer.request('GET', '/api/status')).status).toBe(200);
    expect((await other.request('GET', '/api/status')).status).toBe(401);
    await signIn(warden, 'vera', 'a new password');
  });

  it('stay signed in over a restart', async () => {
    const { warden, viewer } = await guarded();
    await warden.restart();
    expect(await session(viewer)).toMatchObject({ name: 'vera', role: 'viewer' });
  });
});

describe('keys', () => {
  const send = (url: string, key: string, body: unknown = turn()) =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });

  it('are needed from the first one on, and no longer after the last was revoked', async () => {
    const warden = await open();
    const one = browser(warden);
    expect((await send(warden.url, 'anything')).status).toBe(200);
    const key = await makeKey(one);
    const refused = await send(warden.url, 'anything');
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { type: 'error', error: { type: 'authentication_error' } },
    ]);
    expect((await send(warden.url, key)).status).toBe(200);
    await warden.restart();
    expect((await send(warden.url, key)).status).toBe(200);
    const { keys } = keyList.parse(await (await one.request('GET', '/api/keys')).json());
    await one.request('DELETE', `/api/keys/${keys[0]?.id}`);
    expect((await send(warden.url, 'anything')).status).toBe(200);
    expect((await send(warden.url, key)).status).toBe(401);
  });

  it('are refused in the shape of the API that was called', async () => {
    const warden = await open({ access: { requireKeys: 'always' } });
    const shape = async (path: string) => {
      const answer = await fetch(warden.url + path, { method: 'POST', body: JSON.stringify(turn()) });
      return [answer.status, await answer.json()];
    };
    expect(await shape('/v1/messages')).toMatchObject([
      401,
      { type: 'error', error: { type: 'authentication_error' } },
    ]);
    expect(await shape('/v1/chat/completions')).toMatchObject([
      401,
      { error: { type: 'authentication_error', code: 'invalid_api_key' } },
    ]);
  });

  it('are limited to models, in what they may use and in what they are told', async () => {
    const warden = await open({ otherModels: [{ name: 'another', replicas: [{ url: 'http://127.0.0.1:1' }] }] });
    const key = await makeKey(browser(warden), { models: ['another'] });
    const refused = await send(warden.url, key);
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { type: 'permission_error' } }]);
    const models = await (await fetch(`${warden.url}/v1/models`, { headers: { 'x-api-key': key } })).json();
    expect(models.data.map(({ id }: { id: string }) => id)).toEqual(['another']);
    const unknown = await send(warden.url, key, turn('no such model'));
    expect((await unknown.json()).error.message).not.toContain(TEST_MODEL);
  });

  it('are limited in requests per minute and at a time, with the time to wait', async () => {
    const warden = await open();
    const perMinute = await makeKey(browser(warden), { requests_per_minute: 2 });
    expect([(await send(warden.url, perMinute)).status, (await send(warden.url, perMinute)).status]).toEqual([
      200, 200,
    ]);
    const refused = await send(warden.url, perMinute);
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { type: 'rate_limit_error' } }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const atATime = await makeKey(browser(warden), { concurrent_requests: 1 });
    const held: (() => void)[] = [];
    const { onInference } = odd;
    odd.onInference = (_req, res) => void held.push(() => res.end('{}'));
    const first = send(warden.url, atATime);
    await eventually(() => expect(held).toHaveLength(1));
    expect((await send(warden.url, atATime)).status).toBe(429);
    odd.onInference = onInference;
    held[0]?.();
    await (await first).text();
    await eventually(async () => expect((await send(warden.url, atATime)).status).toBe(200));
  });

  it('tell what each used', async () => {
    const warden = await open();
    const one = browser(warden);
    const key = await makeKey(one, { name: 'build farm' });
    for (let count = 0; count < 3; count += 1) await (await send(warden.url, key)).text();
    await eventually(async () => {
      const { keys } = keyList.parse(await (await one.request('GET', '/api/keys?window=7d')).json());
      expect(keys[0]).toMatchObject({ name: 'build farm', last_used_at: expect.any(String), usage: { requests: 3 } });
      expect(keys[0]?.usage.completion_tokens).toBe(21);
    });
    const { requests } = requestList.parse(await (await one.request('GET', '/api/requests')).json());
    expect(requests).toHaveLength(3);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'a', models: ['no such model'] }, 'models'],
    [{ name: 'a', models: [] }, 'models'],
    [{ name: 'a', requests_per_minute: 0 }, 'requests_per_minute'],
    [{ name: 'a', secret: 'mine' }, 'secret'],
  ])('are not made of %j', async (wish, field) => {
    const warden = await open();
    const answer = await browser(warden).request('POST', '/api/keys', wish);
    expect([answer.status, await answer.json()]).toMatchObject([400, { field }]);
  });
});

describe('the audit list', () => {
  it('says who changed what, from what to what, and nothing of what stayed as it was', async () => {
    const { admin, viewer } = await guarded();
    const path = `/api/models/${TEST_MODEL}/routing`;
    await admin.request('PATCH', path, { affinity: false });
    await admin.request('PATCH', path, { affinity: false });
    await admin.request('PATCH', path, { spill_threshold: 3 });
    await viewer.request('PATCH', path, { affinity: true });
    await makeKey(admin, { name: 'build farm' });
    const entries = await audit(admin);
    const said = entries.map(({ actor, action, subject, before, after }) => ({
      actor,
      action,
      subject,
      before,
      after,
    }));
    expect(said.slice(0, 3)).toEqual([
      {
        actor: 'admin',
        action: 'key.make',
        subject: 'build farm',
        before: null,
        after: expect.objectContaining({ prefix: expect.stringMatching(/^lmw_.{4}$/), models: null }),
      },
      {
        actor: 'admin',
        action: 'routing.change',
        subject: TEST_MODEL,
        before: expect.objectContaining({ spill_threshold_source: 'auto' }),
        after: expect.objectContaining({ spill_threshold: 3, spill_threshold_source: 'setting' }),
      },
      {
        actor: 'admin',
        action: 'routing.change',
        subject: TEST_MODEL,
        before: { affinity: true },
        after: { affinity: false },
      },
    ]);
    expect(said.filter(({ action }) => action === 'routing.change')).toHaveLength(2);
    expect(entries.every(({ address, role }) => address === (role === 'system' ? null : '127.0.0.1'))).toBe(true);
    expect(await audit(admin, 'actor=vera&action=routing.change')).toEqual([]);
    expect(await audit(admin, 'text=build')).toHaveLength(1);
  });

  it('knows who came and went, and who was refused', async () => {
    const { warden, admin } = await guarded();
    const one = await signIn(warden, 'vera');
    await one.request('DELETE', '/api/session');
    await browser(warden).request('POST', '/api/session', { name: 'vera', password: 'guess' });
    await browser(warden).request('POST', '/api/session', { name: 'my password by mistake', password: 'guess' });
    const said = (await audit(admin)).slice(0, 4).map(({ action, subject, actor }) => [action, subject, actor]);
    expect(said).toEqual([
      ['session.refuse', null, 'anonymous'],
      ['session.refuse', 'vera', 'anonymous'],
      ['session.end', 'vera', 'vera'],
      ['session.begin', 'vera', 'vera'],
    ]);
  });

  it('calls whoever is on this machine local, while there is no password', async () => {
    const warden = await open();
    await makeKey(browser(warden));
    expect(await audit(browser(warden))).toMatchObject([{ actor: 'local', action: 'key.make' }]);
  });
});

describe('what browsers are told', () => {
  it("with every answer but the models': to guess no type, to tell no other site, to put it into no frame", async () => {
    const warden = await open();
    for (const path of ['/', '/login', '/api/status', '/api/nothing', '/metrics', '/healthz', '/favicon.svg']) {
      const { headers } = await browser(warden).request('GET', path);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'same-origin']);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
      expect([path, headers.get('permissions-policy')]).toEqual([path, expect.stringContaining('camera=()')]);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, null]);
    }
    const { headers } = await browser(warden).request('GET', '/api/status');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('behind a trusted proxy that does TLS: to come by TLS alone, and to send the cookie by it alone', async () => {
    const { warden } = await guarded({
      access: { trustedProxies: ['127.0.0.1'], allowedHosts: ['warden.example.org'] },
    });
    const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
    const one = browser(warden);
    const body = { name: 'vera', password: PASSWORD };
    const answer = await one.request('POST', '/api/session', body, tls);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-warden=.*; Secure$/);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect((await one.request('GET', '/api/status', undefined, tls)).status).toBe(200);
    // The cookie of TLS is worth nothing in the clear.
    expect((await one.request('GET', '/api/status')).status).toBe(401);
    const admin = await signIn(warden, 'admin');
    expect((await audit(admin, 'actor=vera'))[0]).toMatchObject({ action: 'session.begin', address: '203.0.113.7' });
  });
});

describe('accounts that cannot be read', () => {
  it('let nobody in, as if there were none', async () => {
    const warden = await open();
    const one = browser(warden);
    await one.request('POST', '/api/people', { name: 'asha', role: 'admin', password: PASSWORD });
    await warden.restart(0, () => {
      for (const end of ['', '-wal', '-shm']) rmSync(join(warden.dataDir, `warden.db${end}`), { force: true });
      writeFileSync(
        join(warden.dataDir, 'warden.db'),
        'this is no database, and it is long enough to be taken for one'.repeat(100),
      );
    });
    expect(await session(one)).toMatchObject({ mode: 'locked', role: null });
    expect((await one.request('GET', '/api/status')).status).toBe(401);
    expect((await one.request('POST', '/api/people', { name: 'eve', role: 'admin', password: PASSWORD })).status).toBe(
      401,
    );
    expect((await one.request('POST', '/v1/messages', turn())).status).toBe(401);
  });

  it('are not thought of where there never were any', async () => {
    const warden = await open();
    await warden.restart(0, () => writeFileSync(join(warden.dataDir, 'warden.db'), 'no database '.repeat(1000)));
    expect(await session(browser(warden))).toMatchObject({ mode: 'open' });
  });
});
