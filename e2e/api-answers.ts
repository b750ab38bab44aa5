import type { Page } from 'playwright/test';
import type { z } from 'zod';

/** The newest answer of each call of the console's API that this page has been given, by its path. */
export function watchAnswers(page: Page) {
  const newest = new Map<string, unknown>();
  page.on('response', async (response) => {
    const url = new URL(response.url());
    if (!url.pathname.startsWith('/api/') || !response.ok()) return;
    const body: unknown = await response.json().catch(() => undefined);
    const key = url.searchParams.get('period') === 'previous' ? `${url.pathname} before` : url.pathname;
    if (body !== undefined) newest.set(key, body);
  });
  return {
    /** Throws where there has been none yet, or it is not what the contract says. */
    of: <T>(path: string, contract: z.ZodType<T>): T => contract.parse(newest.get(path)),
  };
}
