import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { moving } from './moving.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/** The shapes that a chart has from the moment it is shown, frame by frame for half a second. */
function shapesWhenShown(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const legends = [...document.querySelectorAll<HTMLElement>('main [aria-pressed="true"]')];
    const legend = legends.find(({ textContent }) => textContent.startsWith('Prompt, computed'));
    if (legend === undefined) throw new Error('there is no legend');
    const shapes = () =>
      [...document.querySelectorAll('main .recharts-bar')].map(({ innerHTML }) => innerHTML).join('');
    const until = (done: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => (done() ? resolve() : requestAnimationFrame(look));
        look();
      });
    // Charts are drawn one after another.
    let whole = '';
    let same = 0;
    await until(() => {
      const now = shapes();
      same = now === whole && now !== '' ? same + 1 : 0;
      whole = now;
      return same > 30;
    });
    legend.click();
    await until(() => shapes().length < whole.length);
    const hidden = shapes();
    legend.click();
    await until(() => shapes() !== hidden);
    const seen = new Set<string>();
    const start = performance.now();
    await until(() => {
      seen.add(shapes());
      return performance.now() - start > 500;
    });
    return seen.size;
  });
}

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test.describe(`with ${reducedMotion}`, () => {
    test.use({ reducedMotion });
    const isReduced = reducedMotion === 'reduce';

    test('a number that changes is there at once, and so is what is drawn', async ({ page, warden }) => {
      const messages = [{ role: 'user', content: 'a word and another '.repeat(300) }];
      await sendTurn(warden.url, { session: randomUUID(), body: { messages } });
      await page.goto(`${warden.url}/models/${MODEL}`);
      await expect(page.getByRole('table', { name: 'Replicas' })).toBeVisible();
      // Every page in every state has nothing that moves: states.spec.ts. Here it is shown that this says something.
      expect((await moving(page)).length > 0).toBe(!isReduced);
      const tinted = page.evaluate(
        () =>
          new Promise<boolean>((resolve) => {
            const end = performance.now() + 8000;
            const look = () => {
              if (document.getAnimations().length > 0) return resolve(true);
              if (performance.now() > end) return resolve(false);
              requestAnimationFrame(look);
            };
            look();
          }),
      );
      await sendTurn(warden.url, { session: randomUUID() });
      expect(await tinted).toBe(!isReduced);

      await page.goto(`${warden.url}/stats?range=15m&paused=true`);
      await expect(page.locator('main .recharts-surface').first()).toBeVisible();
      expect(await shapesWhenShown(page)).toBe(1);
    });
  });
}
