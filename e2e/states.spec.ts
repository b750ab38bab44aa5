import { randomUUID } from 'node:crypto';
import { type Browser, type BrowserContext, expect, type Page } from 'playwright/test';
import { sessionList } from '#lib/contract/activity.ts';
import { alertList } from '#lib/contract/alerts.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import type { BuiltWarden } from './built-warden.ts';
import { CONSOLE_PAGES, PAGE_ASKS, PAGE_SAYS } from './console-pages.ts';
import { deadAddress, startEngine } from './engine.ts';
import { moving } from './moving.ts';
import { watchFaults } from './page-faults.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/*
 * Every page in every state. The eight ways to look at a page (language, theme, width) go round: each page is seen in
 * another one in each state, and in every state it is also squeezed to the other width.
 */
const LOOKS = ['en', 'hi'].flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [1280, 360].map((width) => ({ language, theme, width }))),
);
type Look = (typeof LOOKS)[number];
type Seen = (typeof CONSOLE_PAGES)[number] & {
  readonly page: Page;
  readonly look: Look;
  readonly faults: readonly string[];
};

/** Sentences of both languages that stand in every state of their kind. */
const LOADING = /^(Loading|लोड हो रहा है)$/;
const ALERT = /No replica of|कोई रेप्लिका चालू नहीं है/;
const UNREACHABLE = /The router cannot be reached|राउटर तक पहुँच नहीं/;
const NO_ENGINE = /there is no engine to read|पढ़ने के लिए कोई इंजन नहीं/;
const UNREAD = /Not reportednot known before the first reading|नहीं बतातापहली रीडिंग से पहले पता नहीं/;
/** What the browser itself says of an answer that is an error. */
const NOT_OK = /^(\d{3}: |failed: |error: (Failed to load resource|ChunkLoadError))/;

test.describe.configure({ mode: 'parallel' });
test.setTimeout(170_000);

type Visit = {
  /** Moves the looks on by one for each state. */
  readonly shift: number;
  readonly prepare?: (page: Page) => Promise<unknown>;
};

async function open(browser: Browser, { url }: { readonly url: string }, index: number, visit: Visit): Promise<Seen> {
  const place = CONSOLE_PAGES[index];
  const look = LOOKS[(index + visit.shift) % LOOKS.length];
  if (place === undefined || look === undefined) throw new Error(`there is no page ${index}`);
  const page = await (await contextOf(browser, look)).newPage();
  const faults = watchFaults(page);
  await visit.prepare?.(page);
  await page.goto(url + place.path);
  return { page, ...place, look, faults };
}

type Claims = Visit & {
  /** What shows that the page is in this state. */
  readonly see: (seen: Seen) => Promise<unknown>;
  /** Faults that belong to the state. */
  readonly allowed?: RegExp;
  /** The pages that have something to do with it; all where not given. */
  readonly only?: readonly string[];
};

/** Every page in one state, each in its own browser context; one after the other, so that none works for nothing. */
async function expectEachGood(browser: Browser, warden: { readonly url: string }, claims: Claims): Promise<void> {
  for (const [index, { path }] of CONSOLE_PAGES.entries()) {
    if (claims.only?.includes(path) === false) continue;
    const seen = await open(browser, warden, index, claims);
    await claims.see(seen);
    await expectGood(seen, claims.allowed);
    await seen.page.context().close();
  }
}

function contextOf(browser: Browser, { language, theme, width }: Look): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    locale: language === 'hi' ? 'hi-IN' : 'en-US',
    reducedMotion: 'reduce',
  });
}

/** What holds in every state: language and theme, no fault, nothing for axe to find, nothing cut off at either width. */
async function expectGood({ page, path, look, faults }: Seen, allowed = /^$/): Promise<void> {
  const where = `${path}, ${look.language}, ${look.theme}, ${look.width} px`;
  await expect(page.locator('html'), where).toHaveAttribute('lang', look.language);
  await expect(page.locator('html'), where).toHaveAttribute('data-theme', look.theme);
  await expectNoAxeViolation(page, where);
  expect(await moving(page), `${where}: motion is to be reduced`).toEqual([]);
  for (const width of [look.width, look.width === 360 ? 1280 : 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => overflow(page), `${where}: wider than ${width}`).toBe(0);
  }
  expect(
    faults.filter((fault) => !allowed.test(fault)),
    where,
  ).toEqual([]);
}

const loaded = async ({ page, path }: Seen): Promise<void> => {
  await expect(page.getByRole('status', { name: LOADING }), path).toHaveCount(0);
};

/** Nothing is waited for any more, and it says what is so in this state. */
const says =
  (state: keyof typeof PAGE_SAYS) =>
  async (seen: Seen): Promise<void> => {
    await loaded(seen);
    await expect(seen.page.getByRole('main'), seen.path).toContainText(PAGE_SAYS[state][seen.path] ?? 'unknown page');
  };

const shown = async ({ page, path, shows }: Seen): Promise<void> => {
  await expect(shows(page), path).toBeVisible();
};

/** Of an engine that was never read, nobody knows what it does not report. */
async function expectNothingRead(page: Page, words: RegExp): Promise<void> {
  const engine = page.getByRole('region', { name: /^(Engine|इंजन)$/ });
  await expect(engine).toContainText(words);
  await expect(engine).not.toContainText(/nothing is missing|कुछ भी कम नहीं/);
}

async function holdConversations(warden: BuiltWarden, count: number): Promise<void> {
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await sendTurn(warden.url, { session: randomUUID() });
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
}

test('loading: the API has not answered yet', async ({ browser, idleWarden }) => {
  await expectEachGood(browser, idleWarden, {
    shift: 0,
    prepare: (page) => page.route('**/api/**', () => {}),
    see: async ({ page, path }) => {
      // There the blocks are of use before it is known which model they are for.
      if (path === '/connect') await expect(page.getByRole('tabpanel')).toContainText('ANTHROPIC_MODEL=MODEL');
      else await expect(page.getByRole('status', { name: LOADING }).first(), path).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    },
  });
});

test('empty: nothing is served and nothing has happened', async ({ browser, start }) => {
  const warden = await start({ WARDEN_UPSTREAM: await deadAddress() });
  const allowed = /^404: .*\/api\/|^error: Failed to load resource: .* 404/;
  await expectEachGood(browser, warden, { shift: 1, see: says('empty'), allowed });
});

test('live: four replicas at work', async ({ browser, warden }) => {
  await holdConversations(warden, 12);
  await expectEachGood(browser, warden, { shift: 2, see: shown });
});

test('error: every call of the API fails', async ({ browser, idleWarden }) => {
  const problem = { type: 'about:blank', title: 'Internal error', status: 500, detail: 'A fault for this test.' };
  const answer = { status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) };
  await expectEachGood(browser, idleWarden, {
    shift: 3,
    prepare: (page) => page.route('**/api/**', (route) => route.fulfill(answer)),
    see: ({ page, path }) =>
      expect(page.getByRole('alert').filter({ hasText: problem.detail }).first(), path).toBeVisible(),
    allowed: NOT_OK,
  });
});

test('engine down: a model with no replica up', async ({ browser, start, config }) => {
  const file = config(
    `models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${await deadAddress()}\n        ranks: 2\n`,
  );
  const warden = await start({ WARDEN_CONFIG: file.path });
  // Above every page stands what cannot wait; it is raised when the engine has been away for half a minute.
  const raised = async () => (await warden.get('/api/alerts', alertList)).alerts.map(({ code }) => code);
  await expect.poll(raised, { timeout: 60_000 }).toEqual(['engine_down']);
  await expectEachGood(browser, warden, {
    shift: 4,
    see: async (seen) => {
      await says('engineDown')(seen);
      if (seen.path === `/models/${MODEL}`) await expectNothingRead(seen.page, UNREAD);
      const alerts = seen.page.getByRole('region', { name: /^(Alerts|अलर्ट)$/ });
      await expect(alerts.getByText(ALERT).filter({ hasText: MODEL }).last(), seen.path).toBeVisible();
    },
  });
});

test('no replica: a model whose replicas have not been found yet', async ({ browser, start, config }) => {
  const list = config('[]\n');
  const file = config(`models:\n  - name: ${MODEL}\n    discover:\n      file: ${list.path}\n`);
  const warden = await start({ WARDEN_CONFIG: file.path });
  const only = Object.keys(PAGE_SAYS.noReplica);
  await expectEachGood(browser, warden, {
    shift: 7,
    see: async (seen) => {
      await says('noReplica')(seen);
      if (seen.path === `/models/${MODEL}`) await expectNothingRead(seen.page, NO_ENGINE);
    },
    only,
  });
});

test('router gone and started again: data stays, then all is live again', async ({ browser, warden }) => {
  await holdConversations(warden, 3);
  const all: Seen[] = [];
  for (const index of CONSOLE_PAGES.keys()) {
    const seen = await open(browser, warden, index, { shift: 5 });
    await shown(seen);
    all.push(seen);
  }
  await warden.stop('SIGKILL');
  for (const seen of all) {
    await expect(seen.page.getByRole('alert').filter({ hasText: UNREACHABLE }), seen.path).toBeVisible();
    await shown(seen);
    await expectGood(seen, NOT_OK);
  }
  await warden.restart();
  await holdConversations(warden, 2);
  const { sessions } = await warden.get('/api/sessions', sessionList);
  for (const seen of all) {
    const { page, path } = seen;
    await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE }), path).toBeHidden();
    // What only this page asks for is answered again, and what happened since is on the screen.
    await page.waitForResponse((response) => response.ok() && new URL(response.url()).pathname === PAGE_ASKS[path]);
    const rows = page.getByRole('main').getByRole('table').first().locator('tbody tr');
    if (path === '/') {
      await expect(page.getByRole('article').locator('dd').nth(4)).toHaveText(String(sessions.length));
    } else if (path === '/sessions') {
      await expect(rows).toHaveCount(sessions.length);
    } else if (path === '/requests') {
      await expect(rows).toHaveCount(5);
    } else if (path === '/stats') {
      await expect(page.getByRole('main').locator('dl').first()).toContainText(/5$/);
    }
    await expectGood(seen, NOT_OK);
    await seen.page.context().close();
  }
});

test('eight replicas and 500 sessions', async ({ browser, start }) => {
  const engine = await startEngine({ replicas: 8, speed: 50 });
  try {
    const warden = await start({ WARDEN_UPSTREAM: engine.url });
    await holdConversations(warden, 500);
    expect((await warden.get('/api/sessions', sessionList)).sessions.length).toBe(500);
    await expectEachGood(browser, warden, {
      shift: 6,
      see: async (seen) => {
        await shown(seen);
        if (seen.path !== `/models/${MODEL}`) return;
        const replicas = seen.page.getByRole('main').getByRole('table').first();
        await expect(replicas.locator('tbody tr')).toHaveCount(8);
      },
    });
  } finally {
    await engine.die();
  }
});
