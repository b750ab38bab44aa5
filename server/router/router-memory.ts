import type { Router } from '#lib/routing/router.ts';
import type { EngineMark, RouterMemory } from '#server/store/store.ts';
import type { EngineProcess, ReplicaPlace } from './engine-process.ts';

/** What to remember of an engine, to know after a restart of ours whether it restarted too. */
export function engineMarks(processes: readonly EngineProcess[]): readonly EngineMark[] {
  return processes.map((process) => ({
    url: process.url,
    processStartTime: process.reading?.processStartTime ?? null,
    tokensTotal: tokensTotal(process),
    ranks: process.ranks,
  }));
}

function tokensTotal(process: EngineProcess): number | null {
  const counts = (process.reading?.ranks ?? []).flatMap((rank) =>
    rank.promptTokens === null || rank.generationTokens === null ? [] : [rank.promptTokens + rank.generationTokens],
  );
  return counts.length > 0 ? counts.reduce((sum, value) => sum + value, 0) : null;
}

/** The same run of the engine: the process started at the same time, or, where it does not tell, no counter went back. */
function sameRun(mark: EngineMark, process: EngineProcess): boolean {
  if (!process.up || process.ranks !== mark.ranks) return false;
  const startTime = process.reading?.processStartTime ?? null;
  if (mark.processStartTime !== null && startTime !== null) return mark.processStartTime === startTime;
  const tokens = tokensTotal(process);
  // A mark of nothing may be older than the first tokens, and any fresh engine would match it.
  return mark.tokensTotal !== null && mark.tokensTotal > 0 && tokens !== null && tokens >= mark.tokensTotal;
}

export function takeMemory(router: Router, since: number, marks: readonly EngineMark[], now: number): RouterMemory {
  const tally = router.tally();
  const homes = [...router.homes(now)].map((home) => ({
    keyHash: home.keyHash,
    source: home.source,
    replica: home.replica,
    lastUsedAt: home.lastUsedAt,
    turns: home.turns,
    small: home.small,
  }));
  return { homes, since, tallies: tally.replicas, unrouted: tally.unrouted, engines: marks };
}

type Restoring = {
  readonly memory: RouterMemory;
  readonly router: Router;
  readonly processes: readonly EngineProcess[];
  readonly places: readonly ReplicaPlace[];
  readonly now: number;
};

/**
 * Takes up homes and counters from before a restart of the router. Homes count where the replica's engine is still the
 * same run, found by its URL, wherever that stands in the list now; counters where every engine is. Returns since when
 * the counters count, or null where they begin anew.
 */
export function restoreMemory({ memory, router, processes, places, now }: Restoring): number | null {
  const moved = new Map<number, number>();
  let oldIndex = 0;
  let allSame = memory.engines.length === processes.length;
  for (const mark of memory.engines) {
    const process = processes.find((candidate) => candidate.url === mark.url);
    const same = process !== undefined && sameRun(mark, process);
    if (!same) allSame = false;
    for (let position = 0; position < mark.ranks; position += 1) {
      if (same) {
        const index = places.findIndex((place) => place.process === process && place.position === position);
        if (index >= 0) moved.set(oldIndex, index);
        if (index !== oldIndex) allSame = false;
      }
      oldIndex += 1;
    }
  }
  const homes = memory.homes.flatMap((home) => {
    const replica = moved.get(home.replica);
    return replica === undefined ? [] : [{ ...home, replica }];
  });
  router.restore({ homes, tallies: allSame ? memory.tallies : [], unrouted: allSame ? memory.unrouted : 0 }, now);
  return allSame ? memory.since : null;
}
