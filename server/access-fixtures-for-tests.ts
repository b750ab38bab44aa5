import { madeKey } from '#lib/contract/access.ts';
import type { AccessSettings } from './access/access-settings.ts';
import { startTestWarden, TEST_MODEL, type TestWarden, type TestWardenOptions } from './warden-for-tests.ts';

export const PASSWORD = 'correct horse battery';

/** A browser as far as it matters here: one cookie. */
export type Browser = {
  cookie: string | null;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
};

export function browser(warden: Pick<TestWarden, 'url'>): Browser {
  const self: Browser = {
    cookie: null,
    async request(method, path, body, headers = {}) {
      const answer = await fetch(warden.url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(self.cookie === null ? {} : { cookie: self.cookie }),
          origin: new URL(warden.url).origin,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const set = answer.headers.get('set-cookie');
      if (set !== null) self.cookie = set.split(';')[0] ?? null;
      return answer;
    },
  };
  return self;
}

export async function signIn(warden: Pick<TestWarden, 'url'>, name: string, password = PASSWORD): Promise<Browser> {
  const one = browser(warden);
  const answer = await one.request('POST', '/api/session', { name, password });
  if (answer.status !== 200) throw new Error(`${name} could not sign in: ${await answer.text()}`);
  return one;
}

/** Makes a key and gives its secret. */
export async function makeKey(admin: Browser, wish: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const answer = await admin.request('POST', '/api/keys', { name: 'test key', ...wish });
  return madeKey.parse(await answer.json()).secret;
}

/** A warden with a password, an admin who is signed in, and a viewer. */
export async function startGuardedWarden(options: TestWardenOptions & { readonly access?: Partial<AccessSettings> }) {
  const warden = await startTestWarden({ ...options, access: { adminPassword: PASSWORD, ...options.access } });
  const admin = await signIn(warden, 'admin');
  const added = await admin.request('POST', '/api/people', { name: 'vera', role: 'viewer', password: PASSWORD });
  if (added.status !== 200) throw new Error(await added.text());
  return { warden, admin, viewer: await signIn(warden, 'vera') };
}

export const turn = (model: string = TEST_MODEL) => ({
  model,
  max_tokens: 2,
  messages: [{ role: 'user', content: 'hello' }],
});
