import { useParams } from 'next/navigation';
import { parseAsString, useQueryState } from 'nuqs';
import { modelNameOf } from './model-name.ts';

/** The model that the address names (`/models/{name}`, percent-encoded). */
export function useModelName(): string {
  const { model } = useParams<{ model: string }>();
  return modelNameOf(model);
}

/** What the page's list is searched for, `?q=`. */
export function useSearchText() {
  return useQueryState('q', parseAsString.withDefault(''));
}

/** The model that a page is narrowed to, `?model=`; null for all. */
export function useModelFilter() {
  return useQueryState('model', parseAsString);
}
