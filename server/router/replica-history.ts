import type { RankReading } from '#lib/engine/types.ts';
import type { Store } from '#server/store/store.ts';
import type { ClockedRouter } from './clocked-router.ts';
import { freshReading, type ReplicaPlace } from './engine-process.ts';
import { createHitWindow, type HitWindow } from './hit-window.ts';

/** What each replica's engine said over time: stored as samples, and kept for the last five minutes' hit share. */
export type ReplicaHistory = {
  /** Notes the newest reading of the given replicas. */
  record(replicas: readonly number[], places: readonly ReplicaPlace[], router: ClockedRouter, now: number): void;
  recentHitShare(replica: number): number | null;
  /** The replica's engine restarted, or its index now means another: what came before does not count any more. */
  clear(replica: number): void;
};

export function createReplicaHistory(store: Store, model: string): ReplicaHistory {
  const windows = new Map<number, HitWindow>();
  const previous = new Map<number, RankReading>();
  const windowOf = (replica: number): HitWindow => {
    const known = windows.get(replica);
    if (known !== undefined) return known;
    const window = createHitWindow();
    windows.set(replica, window);
    return window;
  };
  return {
    record(replicas, places, router, now) {
      for (const replica of replicas) {
        const place = places[replica];
        const rank = place === undefined ? undefined : freshReading(place.process, now)?.ranks[place.position];
        if (rank === undefined) continue;
        const before = previous.get(replica);
        previous.set(replica, rank);
        windowOf(replica).add(now, rank.cachedTokens, rank.computedTokens);
        store.recordSample({
          model,
          replica,
          takenAt: now,
          inFlight: router.inFlight(replica),
          liveSessions: router.liveSessions(replica),
          running: rank.running,
          waiting: rank.waiting,
          kvUsage: rank.kvUsage,
          cachedTokens: increment(before?.cachedTokens ?? null, rank.cachedTokens),
          computedTokens: increment(before?.computedTokens ?? null, rank.computedTokens),
        });
      }
    },
    recentHitShare: (replica) => windows.get(replica)?.share() ?? null,
    clear(replica) {
      windows.delete(replica);
      previous.delete(replica);
    },
  };
}

/** Since the reading before; null for the first one, and across a restart, where nobody can tell. */
function increment(before: number | null, after: number | null): number | null {
  return before === null || after === null || after < before ? null : after - before;
}
