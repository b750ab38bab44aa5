import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { CONSOLE_PAGES } from './console-pages.ts';
import { openWindow, type RawTab } from './raw-tab.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/** Seconds since the last answer, as the page says; 999 where it has had none yet. */
const ANSWER_AGE = `(() => {
  const titles = [...document.querySelectorAll('[title]')].map(({ title }) => title);
  const age = titles.find((title) => title.startsWith('Last answer of the router: '));
  return age === undefined ? 999 : Number(/(\\d+) s ago/.exec(age)?.[1] ?? 0);
})()`;

const placedIn = `[...document.querySelectorAll('main table')].map((table) => table.innerText).join(' ')`;

test('a tab that is hidden asks for nothing, on no page, and is current at once when it is shown', async ({
  browser,
  warden,
}) => {
  await sendTurn(warden.url, { session: randomUUID() });
  const window = await openWindow(browser);
  const tabs = new Map<string, RawTab>();
  for (const { path } of CONSOLE_PAGES) {
    const tab = await window.open(warden.url + path);
    tabs.set(path, tab);
    await expect.poll(() => tab.evaluate(ANSWER_AGE), path).toBeLessThan(5);
    expect(await tab.evaluate('document.visibilityState')).toBe('visible');
  }
  const front = await window.open(`${warden.url}/healthz`);
  await front.toFront();
  for (const [path, tab] of tabs)
    await expect.poll(() => tab.evaluate('document.visibilityState'), path).toBe('hidden');

  // What was on its way may still arrive; then longer than any page waits between two questions.
  const age = (seconds: number) =>
    Promise.all(
      [...tabs].map(([path, tab]) =>
        expect.poll(() => tab.evaluate(ANSWER_AGE), { message: path, timeout: 30_000 }).toBeGreaterThan(seconds),
      ),
    );
  await age(2);
  for (const tab of tabs.values()) tab.takeRequests();
  const session = randomUUID();
  await sendTurn(warden.url, { session });
  await age(12);
  for (const [path, tab] of tabs) expect(tab.takeRequests(), path).toEqual([]);

  const model = tabs.get(`/models/${MODEL}`);
  if (model === undefined) throw new Error('the page of the model is not among the pages');
  const before = await model.evaluate(placedIn);
  await model.toFront();
  await expect.poll(() => model.evaluate(ANSWER_AGE)).toBeLessThan(3);
  expect(model.takeRequests().filter((url) => url.includes('/routing'))).not.toEqual([]);
  await expect.poll(() => model.evaluate(placedIn)).not.toBe(before);
  await window.close();
});
