import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useCallback, useMemo } from 'react';
import { RANGE_NAMES, type RangeName } from '#lib/series/range.ts';
import { useRangeSteps } from './range-steps.ts';
import type { Asked, Stretch } from './series-queries.ts';
import { useModelFilter } from './url-state.ts';

const PARAMETERS = {
  range: parseAsStringLiteral(RANGE_NAMES).withDefault('1h'),
  from: parseAsString,
  to: parseAsString,
  compare: parseAsBoolean.withDefault(false),
};

/**
 * What the page shows, all of it in the address: model, range or stretch of time, and whether it is compared. The keys
 * `[` and `]` take the next range, from one hour where a stretch of time was shown.
 */
export function useAsked() {
  const [model] = useModelFilter();
  const [{ range, from, to, compare }, set] = useQueryStates(PARAMETERS);
  const asked = useMemo<Asked>(
    () => ({ model, window: from === null || to === null ? range : { from, to }, compare }),
    [model, range, from, to, compare],
  );
  const setRange = useCallback((next: RangeName) => void set({ range: next, from: null, to: null }), [set]);
  useRangeSteps(
    useCallback(
      (by) => {
        const next = RANGE_NAMES[RANGE_NAMES.indexOf(range) + by];
        if (next !== undefined) setRange(next);
      },
      [range, setRange],
    ),
  );
  return {
    asked,
    setRange,
    setStretch: ({ from: start, to: end }: Stretch) => void set({ range: null, from: start, to: end }),
    setCompare: (next: boolean) => void set({ compare: next }),
  };
}
