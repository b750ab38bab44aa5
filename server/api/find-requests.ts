import type { RequestPage, RequestRow, RequestSearch, Store } from '#server/store/store.ts';

/** How often the store is asked to go on; with each it looks at thousands of requests. */
const MOST_CALLS = 400;

/**
 * The first `limit` requests that match. The store looks through many in several calls, between which others get their
 * turn. `next` is null where there are no more; it stands where to go on otherwise, also where a search of millions gave
 * up before it had found as many.
 */
export async function findRequests(
  store: Pick<Store, 'findRequests'>,
  model: string | null,
  limit: number,
  search: RequestSearch,
): Promise<RequestPage> {
  const rows: RequestRow[] = [];
  let { from } = search;
  for (let call = 0; call < MOST_CALLS; call += 1) {
    const page = await store.findRequests(
      model,
      limit - rows.length,
      from === undefined ? search : { ...search, from },
    );
    rows.push(...page.rows);
    if (page.next === null) return { rows, next: null };
    from = page.next;
    if (rows.length >= limit) break;
  }
  return { rows, next: from ?? null };
}
