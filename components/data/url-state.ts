import { useParams } from 'next/navigation';
import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import { RANGE_NAMES } from '#lib/series/range.ts';

/** The model that the address names (`/models/{name}`, percent-encoded). */
export function useModelName(): string {
  const { model } = useParams<{ model: string }>();
  try {
    return decodeURIComponent(model);
  } catch {
    // A stray percent sign that nobody encoded: the name as it stands.
    return model;
  }
}

/** The time range of the charts, `?range=`; one hour where the address has none. */
export function useRange() {
  return useQueryState('range', parseAsStringLiteral(RANGE_NAMES).withDefault('1h'));
}

/** The model that a page is narrowed to, `?model=`; null for all. */
export function useModelFilter() {
  return useQueryState('model', parseAsString);
}

/** The address of a model's page. */
export function modelHref(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}
