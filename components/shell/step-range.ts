import { RANGE_NAMES } from '#lib/series/range.ts';
import { PAGES } from './pages.ts';

const AT_FIRST = '1h';
const NAMES: readonly string[] = RANGE_NAMES;

/** Takes the next shorter or longer time range, in the address, on a page that has one. A custom range is given up. */
export function stepRange(path: string, step: 1 | -1): void {
  if (!PAGES.find(({ href }) => href === path)?.hasRange) return;
  const search = new URLSearchParams(location.search);
  const now = search.get('range') ?? AT_FIRST;
  const next = NAMES[NAMES.indexOf(now) + step];
  if (next === undefined) return;
  search.delete('from');
  search.delete('to');
  if (next === AT_FIRST) search.delete('range');
  else search.set('range', next);
  const query = search.size > 0 ? `?${search}` : '';
  history.replaceState(null, '', location.pathname + query);
}
