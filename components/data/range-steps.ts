import { useEffect } from 'react';

/** Takes the next shorter (-1) or longer (1) time range. */
type Step = (by: 1 | -1) => void;

let current: Step | null = null;

/** The page on screen has a time range: the keys `[` and `]` step through it. */
export function useRangeSteps(step: Step): void {
  useEffect(() => {
    current = step;
    return () => {
      if (current === step) current = null;
    };
  }, [step]);
}

/** Steps through the time range of the page on screen; nothing where it has none. */
export function stepRange(by: 1 | -1): void {
  current?.(by);
}
