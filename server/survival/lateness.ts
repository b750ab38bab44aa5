/** How long a machine with more to do than it can lets a process wait, as this process sees it. */
export type Lateness = {
  /** The longest wait within the seconds before `at` (ms since the epoch) in which what was lost then came about. */
  before(at: number): number;
  most(): number;
  stop(): void;
};

const EVERY_MS = 50;
const LOOKED_BACK_MS = 5_000;

/** A timer that notes how late it is. A process beside it, with as much right to the processor, waits about as long. */
export function measureLateness(): Lateness {
  const waits: { readonly at: number; readonly lateMs: number }[] = [];
  let dueAt = Date.now() + EVERY_MS;
  const timer = setInterval(() => {
    const at = Date.now();
    if (at > dueAt) waits.push({ at, lateMs: at - dueAt });
    dueAt = at + EVERY_MS;
  }, EVERY_MS);
  const longest = (of: readonly { readonly lateMs: number }[]): number =>
    of.reduce((most, { lateMs }) => Math.max(most, lateMs), 0);
  return {
    before: (at) => longest(waits.filter((wait) => wait.at > at - LOOKED_BACK_MS && wait.at <= at + EVERY_MS)),
    most: () => longest(waits),
    stop: () => clearInterval(timer),
  };
}
