import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#lib/engine/endpoints.ts';
import { type Browser, browser, makeKey, signIn, startGuardedWarden } from './access-fixtures-for-tests.ts';
import { API_ROUTES } from './api/routes.ts';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import { startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

/*
 * Who gets what, for every route there is. The routes come from the tables that the server itself goes by, the rights
 * from the table below: a route without a row fails, and so does a row without a route.
 */

const CALLERS = [
  'anonymous',
  'viewer',
  'admin',
  'valid key',
  'wrong key',
  'expired key',
  'key for another model',
] as const;
type CallerName = (typeof CALLERS)[number];
/** `in`: let in, whatever comes of the request then. `login`: sent to the login page. */
type Outcome = 'in' | 'login' | 401 | 403;
type Row = readonly Outcome[];

const EVERYONE: Row = ['in', 'in', 'in', 'in', 'in', 'in', 'in'];
/** A key is for `/v1` and opens nothing else. */
const SEES: Row = [401, 'in', 'in', 401, 401, 401, 401];
const ADMIN: Row = [401, 403, 'in', 401, 401, 401, 401];
const PAGE: Row = ['login', 'in', 'in', 'login', 'login', 'login', 'login'];
const SENDS: Row = [401, 403, 'in', 'in', 401, 401, 403];
const LISTS: Row = [401, 403, 'in', 'in', 401, 401, 'in'];

const RIGHTS: Readonly<Record<string, Row>> = {
  'GET /healthz': EVERYONE,
  'GET /readyz': EVERYONE,
  'GET /metrics': SEES,
  'GET /favicon.svg': EVERYONE,
  'GET /_next/static/{file}': EVERYONE,

  'GET /': PAGE,
  'GET /access': PAGE,
  'GET /benchmark': PAGE,
  'GET /connect': PAGE,
  'GET /login': EVERYONE,
  'GET /models/{model}': PAGE,
  'GET /no-such-page': PAGE,
  'GET /requests': PAGE,
  'GET /sessions': PAGE,
  'GET /fleet': PAGE,
  'GET /settings': PAGE,
  'GET /stats': PAGE,

  'GET /v1/models': LISTS,
  'GET /v1/no-such-path': LISTS,
  'POST /detokenize': SENDS,
  'POST /tokenize': SENDS,
  'POST /v1/audio/transcriptions': SENDS,
  'POST /v1/audio/translations': SENDS,
  'POST /v1/chat/completions': SENDS,
  'POST /v1/completions': SENDS,
  'POST /v1/embeddings': SENDS,
  'POST /v1/messages': SENDS,
  'POST /v1/messages/count_tokens': SENDS,
  'POST /v1/rerank': SENDS,
  'POST /v1/responses': SENDS,
  'POST /v1/score': SENDS,

  'DELETE /api/session': EVERYONE,
  'GET /api/session': EVERYONE,
  'POST /api/first-run': EVERYONE,
  'POST /api/session': EVERYONE,
  'PATCH /api/session/password': SEES,

  'GET /api/no-such-call': SEES,
  'GET /api/alerts': SEES,
  'GET /api/benchmarks': SEES,
  'GET /api/benchmarks/{id}': SEES,
  'GET /api/demo': SEES,
  'GET /api/events': SEES,
  'GET /api/fleet': SEES,
  'GET /api/fleet/figures': SEES,
  'GET /api/fleet/figures/own': SEES,
  'GET /api/keys': SEES,
  'GET /api/models': SEES,
  'GET /api/openapi.json': SEES,
  'GET /api/models/{name}': SEES,
  'GET /api/models/{name}/advice': SEES,
  'GET /api/models/{name}/connect': SEES,
  'GET /api/models/{name}/in-flight': SEES,
  'GET /api/models/{name}/readings': SEES,
  'GET /api/models/{name}/routing': SEES,
  'GET /api/requests': SEES,
  'GET /api/requests/clients': SEES,
  'GET /api/sessions': SEES,
  'GET /api/sessions/{key}': SEES,
  'GET /api/settings': SEES,
  'GET /api/settings/database': SEES,
  'GET /api/stats/admission': SEES,
  'GET /api/stats/decisions': SEES,
  'GET /api/stats/errors': SEES,
  'GET /api/stats/latency': SEES,
  'GET /api/stats/replicas': SEES,
  'GET /api/stats/tokens': SEES,
  'GET /api/status': SEES,

  'DELETE /api/benchmarks/{id}': ADMIN,
  'DELETE /api/keys/{id}': ADMIN,
  'DELETE /api/models/{name}': ADMIN,
  'DELETE /api/people/{id}': ADMIN,
  'DELETE /api/sessions/{key}': ADMIN,
  'GET /api/audit': ADMIN,
  'GET /api/people': ADMIN,
  'PATCH /api/models/{name}': ADMIN,
  'PATCH /api/models/{name}/replicas/{replica}': ADMIN,
  'PATCH /api/models/{name}/routing': ADMIN,
  'PATCH /api/people/{id}': ADMIN,
  'PATCH /api/settings': ADMIN,
  'POST /api/benchmarks': ADMIN,
  'POST /api/demo': ADMIN,
  'POST /api/keys': ADMIN,
  'POST /api/models': ADMIN,
  'POST /api/models/probe': ADMIN,
  'POST /api/models/simulated': ADMIN,
  'POST /api/people': ADMIN,
  'POST /api/sessions/{key}/home': ADMIN,
};

/** Something for each placeholder that is well formed, and mostly not there. */
const SAMPLES: Readonly<Record<string, string>> = {
  name: TEST_MODEL,
  model: 'some%2Fmodel',
  replica: '0',
  id: '999999',
  key: '0123456789ab',
  file: 'chunks/a.js',
};

const apiRoutes = API_ROUTES.map(({ method, path }) => {
  const template = path.source
    .slice(1, -1)
    .replace(/\\([/.])/g, '$1')
    .replace(/\(\?<(\w+)>[^)]*\)/g, '{$1}');
  return `${method} ${template}`;
});

const pages = readdirSync(fileURLToPath(new URL('../app', import.meta.url)), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `GET /${file.replace(/\/?page\.tsx$/, '').replace(/\[(\w+)\]/g, '{$1}')}`);

const rest = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /favicon.svg',
  'GET /_next/static/{file}',
  'GET /v1/models',
  'GET /v1/no-such-path',
  'GET /api/no-such-call',
  'GET /no-such-page',
];
const ROUTES = [...new Set([...apiRoutes, ...pages, ...ENDPOINTS.map(({ path }) => `POST ${path}`), ...rest])];

it('every route there is has a row, and every row is a route', () => {
  expect(ROUTES.toSorted()).toEqual(Object.keys(RIGHTS).toSorted());
});

type Sent = { readonly route: string; readonly as: CallerName };

/** Sends something to a route and tells whether it got past the gate. */
async function outcome(world: World, { route, as }: Sent): Promise<Outcome> {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const sample = SAMPLES[name];
    if (sample === undefined) throw new Error(`${route}: give a sample for {${name}}`);
    return sample;
  });
  const answer = await fetch(world.warden.url + path, {
    method,
    redirect: 'manual',
    headers: await world.headers(as, route),
    ...(method === 'GET' ? {} : bodyFor(template)),
  });
  const text = await answer.text();
  if (answer.status === 303 && answer.headers.get('location')?.startsWith('/login') === true) return 'login';
  if (answer.status === 401 && route === 'POST /api/session' && text.includes('name or the password')) return 'in';
  if (answer.status === 401 || answer.status === 403) return answer.status;
  return 'in';
}

/** Of the kind that the route takes; calls of the console get one that they refuse, so that nothing is changed. */
function bodyFor(path: string): { body: string | FormData } {
  const endpoint = ENDPOINTS.find((one) => one.path === path);
  if (endpoint === undefined) return { body: '{}' };
  if (endpoint.body === 'json') return { body: JSON.stringify({ model: TEST_MODEL, prompt: 'x', messages: [] }) };
  const form = new FormData();
  form.set('model', TEST_MODEL);
  return { body: form };
}

type World = { readonly warden: TestWarden; headers(as: CallerName, route: string): Promise<Record<string, string>> };

let odd: OddEngine;
beforeAll(async () => {
  odd = await startOddEngine((_req, res) => void res.end('{}'), 1);
});
afterAll(() => odd.engine.close());

const OTHER_MODEL = { name: 'another', replicas: [{ url: 'http://127.0.0.1:1' }] };
const fleet = () => ({ fleets: [odd.engine], otherModels: [OTHER_MODEL] });

/** The three kinds of keys, made by whoever may; the expired one was good for a moment. */
async function keysOf(admin: Browser): Promise<Readonly<Record<string, string>>> {
  // Time enough for it to be made on a busy machine: one that is over by then is refused.
  const expires_at = new Date(Date.now() + 2000).toISOString();
  const keys = {
    'expired key': await makeKey(admin, { expires_at }),
    'valid key': await makeKey(admin),
    'wrong key': `lmw_${'x'.repeat(43)}`,
    'key for another model': await makeKey(admin, { models: ['another'] }),
  };
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(expires_at) + 10 - Date.now())));
  return keys;
}

function headersFor(keys: Readonly<Record<string, string>>, people: Partial<Record<CallerName, Browser>>) {
  return async (as: CallerName, route: string): Promise<Record<string, string>> => {
    const isForm = route.includes('/audio/');
    const type: Record<string, string> =
      isForm || route.startsWith('GET') ? {} : { 'content-type': 'application/json' };
    const key = keys[as];
    if (key !== undefined) return { ...type, authorization: `Bearer ${key}` };
    const cookie = people[as]?.cookie ?? null;
    return cookie === null ? type : { ...type, cookie };
  };
}

describe('with a password', () => {
  let world: World;
  beforeAll(async () => {
    const { warden, admin, viewer } = await startGuardedWarden({ ...fleet() });
    const headers = headersFor(await keysOf(admin), { admin, viewer });
    world = {
      warden,
      async headers(as, route) {
        // Signing out is tried with a session that nobody needs afterwards.
        if (route !== 'DELETE /api/session' || (as !== 'admin' && as !== 'viewer')) return headers(as, route);
        const own = await signIn(warden, as === 'admin' ? 'admin' : 'vera');
        return { cookie: own.cookie ?? '', 'content-type': 'application/json' };
      },
    };
  });
  afterAll(() => world.warden.close());

  describe.each(CALLERS.map((as, column) => ({ as, column })))('$as', ({ as, column }) => {
    it.each(ROUTES)('%s', async (route) => {
      expect(await outcome(world, { route, as })).toBe(RIGHTS[route]?.[column]);
    });
  });

  it('a token lets in to the metrics, and nowhere else', async () => {
    const metricsToken = 'a token for Prometheus';
    const { warden, admin } = await startGuardedWarden({ ...fleet(), access: { metricsToken } });
    await makeKey(admin);
    const headers = { authorization: `Bearer ${metricsToken}` };
    for (const route of ROUTES.filter((one) => one.startsWith('GET /'))) {
      const got = await outcome({ warden, headers: async () => headers }, { route, as: 'anonymous' });
      expect([route, got]).toEqual([route, route === 'GET /metrics' ? 'in' : RIGHTS[route]?.[0]]);
    }
    await warden.close();
  });

  it('nobody is told which calls there are', async () => {
    const known = await fetch(`${world.warden.url}/api/people`);
    const unknown = await fetch(`${world.warden.url}/api/nothing`);
    expect(await unknown.text()).toBe(await known.text());
  });
});

describe('on loopback without a password', () => {
  let open: World;
  let keyed: World;
  beforeAll(async () => {
    const start = () => startTestWarden({ ...fleet() });
    const [first, second] = [await start(), await start()];
    open = { warden: first, headers: headersFor({ 'wrong key': 'sk-dummy' }, {}) };
    keyed = { warden: second, headers: headersFor(await keysOf(browser(second)), {}) };
  });
  afterAll(async () => {
    await open.warden.close();
    await keyed.warden.close();
  });

  it.each(ROUTES)('everyone is let in to %s while there is no key', async (route) => {
    expect(await outcome(open, { route, as: 'anonymous' })).toBe('in');
    expect(await outcome(open, { route, as: 'wrong key' })).toBe('in');
  });

  it.each(ROUTES)('everyone is let in to %s while there are keys, but for requests to models', async (route) => {
    const isModel = /^\w+ \/(v1|tokenize|detokenize)/.test(route);
    const rights = route.startsWith('GET /v1') ? LISTS : SENDS;
    for (const [column, as] of CALLERS.entries()) {
      if (as === 'viewer' || as === 'admin') continue;
      const got = await outcome(keyed, { route, as });
      expect([as, got]).toEqual([as, isModel ? rights[column] : 'in']);
    }
  });
});
