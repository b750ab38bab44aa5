import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** Fails with the rules that a page breaks and where. `what`: which page in which state, for the failure. */
export async function expectNoAxeViolation(page: Page, what?: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // Within the page: nothing here is framed, and the other way opens a second page for each look. A third of the time.
    .setLegacyMode()
    // Of what passes, one node a rule is described; of what does not, all.
    .options({ resultTypes: ['violations'] })
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(found, what).toEqual([]);
  expect(await page.evaluate(agesSpoken), what).toEqual([]);
}

/** Ages within what is spoken whenever it changes: it would never stop. */
function agesSpoken(): string[] {
  const spoken = document.querySelectorAll(
    '[role=alert], [role=status], [role=log], [aria-live=polite], [aria-live=assertive]',
  );
  return [...spoken].filter((region) => region.querySelector('time') !== null).map((region) => region.outerHTML);
}

/** By how many pixels the document is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The page at hand, without loading it again, wide and light, then narrow and dark: accessible, and nothing cut off. */
export async function expectGoodAtEveryLook(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await expectNoAxeViolation(page, `${width} px, ${colorScheme}`);
    await expect.poll(() => overflow(page), `wider than ${width} px`).toBe(0);
  }
}
