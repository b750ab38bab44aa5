import type { EngineMark, RouterMemory } from '#server/store/store.ts';

/**
 * A tenth of a second at most is added to the second in which the store writes. Only the homes that were used since the
 * last time are saved then; all of them, to drop what was forgotten, now and then.
 */
const INTERVAL_MS = 100;
const WHOLE_INTERVAL_MS = 5_000;

export type MemorySaverOptions = {
  /** What is to be remembered; of the homes only those used since then (ms since the epoch), or all (null). */
  readonly take: (usedSince: number | null) => RouterMemory;
  readonly save: (memory: RouterMemory) => void;
  readonly now: () => number;
};

/** Saves what a model's router has to remember, soon after it changed. */
export type MemorySaver = {
  /** A home was made or used, or a counter counted. */
  changed(): void;
  /** Homes were moved or forgotten in another way than by a request: all are saved the next time. */
  replaced(): void;
  start(): void;
  /** Saves what is not saved yet. */
  stop(): void;
};

export function createMemorySaver({ take, save, now }: MemorySaverOptions): MemorySaver {
  let isChanged = false;
  let isReplaced = true;
  let savedAt = 0;
  let wholeAt = 0;
  let savedEngines = '';
  let timer: NodeJS.Timeout | null = null;

  const saveWhole = (): void => {
    const memory = take(null);
    save(memory);
    isReplaced = false;
    wholeAt = now();
    savedEngines = runsOf(memory.engines);
  };

  const saveIfChanged = (): void => {
    if (!isChanged) return;
    isChanged = false;
    const at = now();
    // A clock that was set back must not stop the saving.
    const isWholeDue = isReplaced || Math.abs(at - wholeAt) >= WHOLE_INTERVAL_MS || at < savedAt;
    const partial = isWholeDue ? null : take(savedAt);
    // The homes that are saved already belong to the runs of the engines, and the numbers, that were saved with them.
    if (partial === null || runsOf(partial.engines) !== savedEngines) saveWhole();
    else save(partial);
    savedAt = at;
  };

  return {
    changed() {
      isChanged = true;
    },
    replaced() {
      isChanged = true;
      isReplaced = true;
    },
    start() {
      timer ??= setInterval(saveIfChanged, INTERVAL_MS).unref();
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      if (isChanged) saveWhole();
      isChanged = false;
    },
  };
}

const runsOf = (engines: readonly EngineMark[]): string =>
  engines.map(({ url, ranks, processStartTime }) => `${url} ${ranks} ${processStartTime}`).join();
