import type { Page } from 'playwright/test';
import { z } from 'zod';

/** What browsers call good is below 0.1. What is left is a header on a phone that gets a second line with its data. */
export const LAYOUT_SHIFT = 0.05;

/** Notes each movement of what was already painted, with what moved, as the browser itself measures it. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources?: { node?: Node | null }[] };
    const seen: { value: number; what: string[] }[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources = [] } = entry as Shift;
        if (hadRecentInput) continue;
        const what = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 90) : String(node)));
        seen.push({ value, what });
        document.documentElement.dataset.shifts = JSON.stringify(seen);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** How far all moved together since the page was opened, and what it was. */
export async function shiftsOf(page: Page): Promise<{ readonly sum: number; readonly what: string }> {
  const what = await page.evaluate(() => document.documentElement.dataset.shifts ?? '[]');
  const shifts = z.array(z.object({ value: z.number() })).parse(JSON.parse(what));
  return { sum: shifts.reduce((total, { value }) => total + value, 0), what };
}
