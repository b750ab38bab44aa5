import type { Page } from 'playwright/test';
import { type RoutingState, routingState } from '#lib/contract/models.ts';
import type { BuiltWarden } from './built-warden.ts';
import { tableRows } from './table-rows.ts';
import { MODEL } from './turns.ts';

const ROUTING_PATH = `/api/models/${MODEL}/routing`;

/** The Data-parallel routing card and what is on it, by role and name. */
export async function openModelPage(page: Page, warden: BuiltWarden) {
  await page.goto(`${warden.url}/models/${MODEL}`);
  const card = page.getByRole('region', { name: 'Data-parallel routing' });
  const editor = card.getByRole('form', { name: 'Spill threshold' });
  return {
    card,
    label: (words: string | RegExp) =>
      card.getByRole('list', { name: 'Routing at a glance' }).getByRole('listitem').filter({ hasText: words }),
    rows: () => tableRows(card.getByRole('table', { name: 'Replicas' })),
    cacheFit: card.getByRole('switch', { name: 'Cache-fit' }),
    room: card.getByRole('region', { name: 'Room in the caches' }),
    affinity: card.getByRole('switch', { name: 'Affinity' }),
    threshold: card.getByRole('button', { name: /^Spill threshold/ }),
    editor,
    number: editor.getByRole('textbox', { name: 'Requests in flight' }),
    auto: editor.getByRole('radio', { name: /^Auto/ }),
    save: editor.getByRole('button', { name: 'Save' }),
  };
}

export function routing(warden: BuiltWarden): Promise<RoutingState> {
  return warden.get(ROUTING_PATH, routingState);
}

/** Sets what the console's controls set, without them. */
export async function patchRouting(warden: BuiltWarden, patch: object): Promise<void> {
  const answer = await fetch(warden.url + ROUTING_PATH, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(patch),
  });
  if (!answer.ok) throw new Error(`PATCH ${ROUTING_PATH} answered ${answer.status}: ${await answer.text()}`);
}

/** The newest routing state that this page has been given. */
export function watchRouting(page: Page): () => RoutingState | null {
  let newest: RoutingState | null = null;
  page.on('response', async (response) => {
    if (!response.url().endsWith(ROUTING_PATH) || !response.ok()) return;
    const state = routingState.safeParse(await response.json().catch(() => null));
    if (state.success) newest = state.data;
  });
  return () => newest;
}
