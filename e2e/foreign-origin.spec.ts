import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type Browser, type BrowserContext, chromium, expect, type Page } from 'playwright/test';
import { keyList, peopleList } from '#lib/contract/access.ts';
import { processStatus } from '#lib/contract/activity.ts';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { routing } from './model-page.ts';
import { MODEL } from './turns.ts';
import { test } from './warden-test.ts';

/*
 * Somebody is signed in to the console, and the same browser opens a page of somebody else: of another site, of another
 * port of the console's own host (of the same site, so that its cookies go along), and of a name that was made to lead to
 * the console's address.
 */

const PASSWORD = 'correct horse battery';
const OTHER_SITE = 'evil.example';
const REBOUND = 'rebound.example';

let browser: Browser;
let warden: BuiltWarden;
let attacker: Server;
let attackerPort: number;
let context: BrowserContext;

test.beforeAll(async ({ launchOptions }) => {
  const resolver = `MAP ${OTHER_SITE} 127.0.0.1, MAP ${REBOUND} 127.0.0.1`;
  browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--host-resolver-rules=${resolver}`],
  });
  warden = await startBuiltWarden({ WARDEN_ADMIN_PASSWORD: PASSWORD });
  attacker = createServer((_req, res) => {
    res.setHeader('content-type', 'text/html');
    res.end('<!doctype html><title>A page of somebody else</title><h1>Kittens</h1>');
  });
  attacker.listen(0, '127.0.0.1');
  await once(attacker, 'listening');
  const address = attacker.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  attackerPort = address.port;
});
test.afterAll(async () => {
  await browser.close();
  await warden.dispose();
  attacker.close();
});

/** Signed in to the console. */
test.beforeEach(async () => {
  context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(warden.url);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('article')).toBeVisible();
  await page.close();
});
test.afterEach(() => context.close());

/** What an attacker would change, as the one who is signed in sees it. */
async function state() {
  const cookies = (await context.cookies(warden.url)).map(({ name, value }) => `${name}=${value}`).join('; ');
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(warden.url + path, { headers: { cookie: cookies } });
    expect(answer.status, path).toBe(200);
    return answer.json();
  };
  const { demo } = processStatus.parse(await get('/api/status'));
  const { people } = peopleList.parse(await get('/api/people'));
  const { keys } = keyList.parse(await get('/api/keys'));
  const { affinity, spill_threshold } = await routingAs(get);
  return { demo, people: people.map(({ name }) => name), keys, affinity, spill_threshold };
}

const routingAs = (get: (path: string) => Promise<unknown>) =>
  routing({ ...warden, get: async (path, contract) => contract.parse(await get(path)) });

const ORIGINS = [
  { what: 'another site', host: OTHER_SITE },
  { what: "another port of the console's own host", host: '127.0.0.1' },
] as const;

async function attackFrom(host: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`http://${host}:${attackerPort}/`);
  await expect(page.getByRole('heading', { name: 'Kittens' })).toBeVisible();
  return page;
}

for (const { what, host } of ORIGINS) {
  test.describe(`a page of ${what}`, () => {
    test('reads nothing and changes nothing by fetch, beacons and forms, though the cookie goes along', async () => {
      const before = await state();
      const page = await attackFrom(host);
      const statuses: [string, number][] = [];
      context.on('response', (response) => {
        const url = new URL(response.url());
        if (url.origin === warden.url)
          statuses.push([`${response.request().method()} ${url.pathname}`, response.status()]);
      });
      const read = await page.evaluate(
        async ({ url, model }) => {
          const json = { 'content-type': 'application/json' };
          const tries: [string, RequestInit][] = [
            ['/api/status', {}],
            ['/api/keys', {}],
            ['/metrics', {}],
            ['/v1/models', {}],
            ['/', {}],
            ['/api/demo', { method: 'POST', headers: json, body: '{"sessions":5}' }],
            ['/api/keys', { method: 'POST', headers: json, body: '{"name":"mine"}' }],
            [`/api/models/${model}/routing`, { method: 'PATCH', headers: json, body: '{"affinity":false}' }],
            ['/api/session', { method: 'DELETE' }],
            ['/api/demo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"sessions":5}' }],
          ];
          const got: string[] = [];
          for (const mode of ['cors', 'no-cors'] as const) {
            for (const [path, init] of tries) {
              try {
                const answer = await fetch(url + path, { ...init, mode, credentials: 'include' });
                const text = await answer.text();
                if (answer.type !== 'opaque' || text !== '') got.push(`${mode} ${path}: ${answer.status} ${text}`);
              } catch {
                // Refused by the browser or by the server: nothing was read.
              }
            }
          }
          navigator.sendBeacon(`${url}/api/demo`, '{"sessions":5}');
          navigator.sendBeacon(`${url}/api/demo`, new Blob(['{"sessions":5}'], { type: 'text/plain' }));
          return got;
        },
        { url: warden.url, model: MODEL },
      );
      expect(read).toEqual([]);
      for (const [path, body] of [
        ['/api/demo', { name: '{"sessions":5,"x":"', value: '"}' }],
        // Signs the victim in as somebody else, if it is taken.
        ['/api/session', { name: '{"name":"admin","password":"', value: `${PASSWORD}"}` }],
      ] as const) {
        const form = await attackFrom(host);
        const answered = form.waitForResponse((response) => response.url() === warden.url + path);
        await form.evaluate(
          ({ action, name, value }) => {
            const made = document.createElement('form');
            Object.assign(made, { method: 'post', enctype: 'text/plain', action });
            const field = document.createElement('input');
            Object.assign(field, { name, value });
            made.append(field);
            document.body.append(made);
            made.submit();
          },
          { action: warden.url + path, ...body },
        );
        expect((await answered).status(), path).toBe(403);
        // A page that is closed while it goes to another may never say that it is.
        await form.waitForURL(warden.url + path);
        await form.close();
      }
      expect(await state()).toEqual(before);
      // The forms arrived: it was the server that refused them.
      const arrived = statuses.filter(([call]) => /^(POST|PATCH|DELETE|OPTIONS) \/api\//.test(call));
      expect(arrived.length).toBeGreaterThan(1);
      expect(arrived.filter(([, status]) => status !== 403)).toEqual([]);
    });

    test('is shown nothing as an image, a script, a style, a frame, a socket or a stream of events', async () => {
      const page = await attackFrom(host);
      const loaded = await page.evaluate(async (url) => {
        const paths = ['/api/status', '/api/keys', '/favicon.svg', '/', '/metrics'];
        const make = (tag: 'img' | 'script' | 'link' | 'object', path: string) => {
          const element = document.createElement(tag);
          if (tag === 'link') Object.assign(element, { rel: 'stylesheet', href: url + path });
          else if (tag === 'object') Object.assign(element, { data: url + path });
          else Object.assign(element, { src: url + path });
          document.body.append(element);
          return new Promise<string[]>((resolve) => {
            element.addEventListener('load', () => resolve([`${tag} ${path}`]));
            element.addEventListener('error', () => resolve([]));
            setTimeout(() => resolve([]), 5000);
          });
        };
        const tags = (['img', 'script', 'link', 'object'] as const).flatMap((tag) =>
          paths.map((path) => make(tag, path)),
        );
        const socket = new Promise<string[]>((resolve) => {
          const made = new WebSocket(`${url.replace('http', 'ws')}/api/events`);
          made.addEventListener('open', () => resolve(['WebSocket']));
          made.addEventListener('error', () => resolve([]));
        });
        const stream = new Promise<string[]>((resolve) => {
          const made = new EventSource(`${url}/api/events`, { withCredentials: true });
          made.addEventListener('open', () => resolve(['EventSource']));
          made.addEventListener('error', () => resolve([]));
        });
        return (await Promise.all([...tags, socket, stream])).flat();
      }, warden.url);
      expect(loaded).toEqual([]);

      for (const path of ['/', '/access', '/api/status', '/login']) {
        await page.evaluate(
          (src) =>
            new Promise<void>((resolve) => {
              const frame = document.createElement('iframe');
              frame.addEventListener('load', () => resolve());
              frame.src = src;
              document.body.append(frame);
            }),
          warden.url + path,
        );
      }
      const frames = page.frames().filter((frame) => frame !== page.mainFrame());
      expect(frames).toHaveLength(4);
      for (const frame of frames) {
        expect(frame.url()).toMatch(/^chrome-error:/);
        await expect(frame.getByText('LM Warden')).toHaveCount(0);
      }
    });

    test('opens the console in a window of its own and gets neither a word nor a look of it', async () => {
      const page = await attackFrom(host);
      const opening = context.waitForEvent('page');
      await page.evaluate((url) => {
        const answers: unknown[] = [];
        addEventListener('message', ({ data }) => answers.push(data));
        Object.assign(globalThis, { answers, opened: open(`${url}/access`) });
      }, warden.url);
      const opened = await opening;
      await expect(opened.getByRole('heading', { level: 1, name: 'Access' })).toBeVisible();
      const seen = await page.evaluate(async () => {
        const victim: Window = Reflect.get(globalThis, 'opened');
        const answers: unknown[] = Reflect.get(globalThis, 'answers');
        for (const message of ['ping', { type: 'sign-out' }, { jsonrpc: '2.0', id: 1, method: 'status' }]) {
          victim.postMessage(message, '*');
        }
        const look = (of: () => unknown) => {
          try {
            return String(of());
          } catch {
            return null;
          }
        };
        const looks = [
          look(() => victim.document.title),
          look(() => victim.location.href),
          look(() => victim.localStorage.length),
          look(() => victim.name),
        ];
        await new Promise((resolve) => setTimeout(resolve, 500));
        return { looks, answers };
      });
      expect(seen).toEqual({ looks: [null, null, null, null], answers: [] });
      await expect(opened.getByRole('button', { name: 'Account of admin' })).toBeVisible();
    });
  });
}

test('a name that was made to lead to the console gets nothing of it, with a password or without', async ({
  idleWarden,
}) => {
  for (const { url } of [warden, idleWarden]) {
    const page = await context.newPage();
    const rebound = `http://${REBOUND}:${new URL(url).port}`;
    const answer = await page.goto(rebound);
    expect(answer?.status()).toBe(421);
    await expect(page.getByText('Models')).toHaveCount(0);
    // The page that says so is of this very origin: no rule of the browser is in the way of what it asks.
    const got = await page.evaluate(async () => {
      const json = { 'content-type': 'application/json' };
      const tries: [string, RequestInit][] = [
        ['/api/status', {}],
        ['/api/keys', {}],
        ['/metrics', {}],
        ['/v1/models', {}],
        ['/stats', {}],
        ['/api/demo', { method: 'POST', headers: json, body: '{"sessions":5}' }],
        ['/v1/chat/completions', { method: 'POST', headers: json, body: '{}' }],
      ];
      const statuses: number[] = [];
      for (const [path, init] of tries) statuses.push((await fetch(path, { ...init, credentials: 'include' })).status);
      return statuses;
    });
    expect(got).toEqual([421, 421, 421, 421, 421, 421, 421]);
    await page.close();
  }
  expect((await idleWarden.get('/api/status', processStatus)).demo).toEqual({ sessions: 0 });
});
