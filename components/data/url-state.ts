import { useParams } from 'next/navigation';
import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import { RANGE_NAMES } from '#lib/series/range.ts';
import { modelNameOf } from './model-name.ts';

/** The model that the address names (`/models/{name}`, percent-encoded). */
export function useModelName(): string {
  const { model } = useParams<{ model: string }>();
  return modelNameOf(model);
}

/** The time range of the charts, `?range=`; one hour where the address has none. */
export function useRange() {
  return useQueryState('range', parseAsStringLiteral(RANGE_NAMES).withDefault('1h'));
}

/** What the page's list is searched for, `?q=`. */
export function useSearchText() {
  return useQueryState('q', parseAsString.withDefault(''));
}

/** The model that a page is narrowed to, `?model=`; null for all. */
export function useModelFilter() {
  return useQueryState('model', parseAsString);
}
