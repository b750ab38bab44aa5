const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Stretches of clock time that ticks may stand apart. */
const STEPS = [
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 15, 30, 60].map((days) => days * DAY),
];
const LONGEST_STEP = 60 * DAY;
const MOST_TICKS = 7;

/** Seconds between two ticks of a chart that covers `seconds`. */
export function tickStep(seconds: number): number {
  return STEPS.find((step) => seconds / step <= MOST_TICKS) ?? LONGEST_STEP;
}

/**
 * The bucket times (ms) that get a tick: the first bucket in each round stretch of local clock time, so that all charts
 * of a page share their ticks. `offsetMinutes` is what Date.getTimezoneOffset gives for a time.
 */
export function roundTicks(times: readonly number[], step: number, offsetMinutes: (time: number) => number): number[] {
  const stretch = (time: number) => Math.floor((time / 1000 - offsetMinutes(time) * MINUTE) / step);
  return times.filter((time, index) => {
    const previous = times[index - 1];
    return previous !== undefined && stretch(time) !== stretch(previous);
  });
}
