import { FORGET_AFTER_MS } from '#lib/routing/homes.ts';
import type { EngineMark, HomeRow, RouterMemory } from '#server/store/store.ts';
import type { ClockedRouter } from './clocked-router.ts';
import type { EngineProcess, ReplicaPlace } from './engine-process.ts';

/** What to remember of an engine, to know after a restart of ours whether it restarted too. */
function markOf(process: EngineProcess): EngineMark {
  return {
    url: process.url,
    processStartTime: process.reading?.processStartTime ?? null,
    tokensTotal: tokensTotal(process),
    ranks: process.ranks,
  };
}

function tokensTotal(process: EngineProcess): number | null {
  const counts = (process.reading?.ranks ?? []).flatMap((rank) =>
    rank.promptTokens === null || rank.generationTokens === null ? [] : [rank.promptTokens + rank.generationTokens],
  );
  return counts.length > 0 ? counts.reduce((sum, value) => sum + value, 0) : null;
}

/**
 * The same run of the engine: the process started at the same time, or, where it does not tell, no counter went back.
 * Null while it has not been seen well, so that nobody can say.
 */
function sameRun(mark: EngineMark, process: EngineProcess): boolean | null {
  if (!process.up || process.reading === null) return null;
  if (process.ranks !== mark.ranks) return false;
  const startTime = process.reading.processStartTime;
  if (mark.processStartTime !== null && startTime !== null) return mark.processStartTime === startTime;
  const tokens = tokensTotal(process);
  // A mark of nothing may be older than the first tokens, and any fresh engine would match it.
  return mark.tokensTotal !== null && mark.tokensTotal > 0 && tokens !== null && tokens >= mark.tokensTotal;
}

/** A model as it runs: all its places, and what is still remembered of engines that have not been seen again. */
type Remembering = {
  readonly router: ClockedRouter;
  readonly since: number;
  readonly places: readonly ReplicaPlace[];
  readonly unseen: UnseenMemory;
  readonly now: number;
};

/**
 * What to save; with `usedSince` (ms since the epoch), of the homes only those used then or later. Replicas that have
 * left are skipped, so that those behind them have the numbers of a new start.
 */
export function takeMemory(
  { router, since, places, unseen, now }: Remembering,
  usedSince: number | null = null,
): RouterMemory {
  const there = [...places.entries()].filter(([, { process }]) => !process.isGone);
  const numbers = new Map(there.map(([replica], number) => [replica, number]));
  const processes = [...new Set(there.map(([, { process }]) => process))];
  const tally = router.tally();
  const homes: HomeRow[] = [];
  const known = new Set<string>();
  for (const home of router.homes()) {
    const { keyHash, source, lastUsedAt, turns, small } = home;
    const isWanted = usedSince === null || lastUsedAt >= usedSince;
    // The live ones come first, the last used before all others.
    if (!isWanted && unseen.isEmpty) break;
    const replica = numbers.get(home.replica);
    if (replica === undefined) continue;
    known.add(keyHash);
    if (isWanted) homes.push({ keyHash, source, replica, lastUsedAt, turns, small });
  }
  const tallies = there.flatMap(([replica]) => tally.replicas[replica] ?? []);
  const rest = unseen.rest(numbers.size, known, now);
  return {
    homes: usedSince === null ? [...homes, ...rest.homes] : homes,
    isPartial: usedSince !== null,
    since,
    tallies,
    unrouted: tally.unrouted,
    engines: [...processes.map(markOf), ...rest.engines],
  };
}

/** An engine of before, with the homes on it by rank. */
type Remembered = {
  readonly mark: EngineMark;
  /** The number of its first replica then. */
  readonly first: number;
  readonly homes: readonly HomeRow[];
};

type Running = { readonly router: ClockedRouter; readonly places: readonly ReplicaPlace[] };

/**
 * Homes and counters from before a restart of the router, until the engines that they belong to are seen: the first
 * poll may fail, and those that are to be found come later. Homes count where the replica's engine is still the same
 * run, found by its URL, wherever that stands in the list now; counters where every engine is, at the same number.
 */
export class UnseenMemory {
  readonly #memory: RouterMemory | null;
  #left: readonly Remembered[];
  #isWhole = true;

  constructor(memory: RouterMemory | null) {
    this.#memory = memory;
    this.#left = memory === null ? [] : byEngine(memory);
  }

  /** True where all of it has been taken up or dropped. */
  get isEmpty(): boolean {
    return this.#left.length === 0;
  }

  /** Takes up what is of engines that have been seen. Returns since when the counters count, where they go on. */
  restore(running: Running): number | null {
    const { router, places } = running;
    // One that has not been asked yet may turn out to have more ranks, and those behind it get other numbers.
    if (this.#memory === null || this.isEmpty || !places.every(({ process }) => wasAsked(process))) return null;
    this.#left = this.#left.filter((engine) => !this.#settle(engine, running));
    if (!this.isEmpty || !this.#isWhole || places.length !== replicaCountOf(this.#memory.engines)) return null;
    const { tallies, unrouted, since } = this.#memory;
    router.restore({ homes: [], tallies, unrouted });
    return since;
  }

  /** What is left, its replicas numbered from `from` on, without the conversations that have another home by now. */
  rest(from: number, known: ReadonlySet<string>, now: number): Pick<RouterMemory, 'homes' | 'engines'> {
    let next = from;
    const homes: HomeRow[] = [];
    const engines: EngineMark[] = [];
    for (const engine of this.#left) {
      const kept = engine.homes.filter((home) => !known.has(home.keyHash) && now - home.lastUsedAt < FORGET_AFTER_MS);
      if (kept.length === 0) continue;
      engines.push(engine.mark);
      homes.push(...kept.map((home) => ({ ...home, replica: next + home.replica - engine.first })));
      next += engine.mark.ranks;
    }
    return { homes, engines };
  }

  /** True where it has been seen, and its homes have been taken up or dropped. */
  #settle({ mark, first, homes }: Remembered, { router, places }: Running): boolean {
    const at = places.findIndex(({ process }) => process.url === mark.url && !process.isGone);
    const process = places[at]?.process;
    const same = process === undefined ? null : sameRun(mark, process);
    if (same === null) return false;
    if (same) {
      const moved = homes.map((home) => ({ ...home, replica: home.replica - first + at }));
      router.restore({ homes: moved, tallies: [], unrouted: 0 });
    }
    if (!same || at !== first) this.#isWhole = false;
    return true;
  }
}

const wasAsked = ({ isGone, reading, failedPolls }: EngineProcess): boolean =>
  isGone || reading !== null || failedPolls > 0;

function byEngine({ engines, homes }: RouterMemory): readonly Remembered[] {
  let next = 0;
  return engines.map((mark) => {
    const first = next;
    next += mark.ranks;
    const end = next;
    return { mark, first, homes: homes.filter(({ replica }) => replica >= first && replica < end) };
  });
}

function replicaCountOf(marks: readonly EngineMark[]): number {
  return marks.reduce((sum, { ranks }) => sum + ranks, 0);
}
