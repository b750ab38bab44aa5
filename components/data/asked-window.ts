import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { RANGE_NAMES, type RangeName } from '#lib/series/range.ts';
import type { Asked, Stretch } from './series-queries.ts';
import { useModelFilter } from './url-state.ts';

const PARAMETERS = {
  range: parseAsStringLiteral(RANGE_NAMES).withDefault('1h'),
  from: parseAsString,
  to: parseAsString,
  compare: parseAsBoolean.withDefault(false),
};

/** What the page shows, all of it in the address: model, range or stretch of time, and whether it is compared. */
export function useAsked() {
  const [model] = useModelFilter();
  const [{ range, from, to, compare }, set] = useQueryStates(PARAMETERS);
  const asked = useMemo<Asked>(
    () => ({ model, window: from === null || to === null ? range : { from, to }, compare }),
    [model, range, from, to, compare],
  );
  return {
    asked,
    setRange: (next: RangeName) => void set({ range: next, from: null, to: null }),
    setStretch: ({ from: start, to: end }: Stretch) => void set({ range: null, from: start, to: end }),
    setCompare: (next: boolean) => void set({ compare: next }),
  };
}
