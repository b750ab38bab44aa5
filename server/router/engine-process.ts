import type { EngineReading } from '#lib/engine/types.ts';
import type { EngineFacts } from '#server/engines/adapter.ts';
import { type Circuit, createCircuit } from './circuit.ts';

/** A reading older than this says nothing of the load now (the reference's bound; a poll is every 2 s). */
const STALE_MS = 15_000;

/** What is known of one engine URL. Health: `up` answers and is well; `down` does neither, or was never reached. */
export type EngineProcess = {
  readonly url: string;
  readonly configuredRanks: number | 'auto';
  /** No longer configured: it takes no new conversations, and goes once nothing runs there. */
  isLeaving: boolean;
  /** It has left. Its place stays empty until another takes it, so that the replicas behind keep their numbers. */
  isGone: boolean;
  /** Ranks behind the URL: configured, or as many as its metrics have; 1 until they were read. */
  ranks: number;
  up: boolean;
  reading: EngineReading | null;
  facts: EngineFacts | null;
  /** Why the last poll failed, for a person; null when it did not. */
  error: string | null;
  restartedAt: number | null;
  /** Polls that failed one after the other. */
  failedPolls: number;
  /** Since when it is down, after having been up, on the steady clock; null while it is up. */
  downSince: number | null;
  /** When it last came up, on the steady clock; null where it never did. */
  lastUpAt: number | null;
  readonly circuit: Circuit;
};

export function newEngineProcess(url: string, ranks: number | 'auto'): EngineProcess {
  return {
    url,
    configuredRanks: ranks,
    isLeaving: false,
    isGone: false,
    ranks: ranks === 'auto' ? 1 : ranks,
    up: false,
    reading: null,
    facts: null,
    error: null,
    restartedAt: null,
    failedPolls: 0,
    downSince: null,
    lastUpAt: null,
    circuit: createCircuit(),
  };
}

/**
 * Whether requests may go there: it is up, or its circuit is open and one may try it. Where no process is up, those
 * that answer their polls are better than nothing. `now` of the steady clock.
 */
export function takesRequests(process: EngineProcess, processes: readonly EngineProcess[], now: number): boolean {
  if (process.isGone) return false;
  if (process.up) return true;
  if (!process.circuit.isOpen || process.failedPolls > 0) return false;
  return process.circuit.isProbeDue(now) || !processes.some((other) => other.up);
}

/** The reading, unless it is too old to decide by (`now` of the wall clock), or of an engine that is down and has not been read since. */
export function freshReading(process: EngineProcess, now: number): EngineReading | null {
  if (!process.up && process.failedPolls > 0) return null;
  // A reading from the future is one from before the wall clock was set back.
  return process.reading !== null && Math.abs(now - process.reading.takenAt) <= STALE_MS ? process.reading : null;
}

/** Place of a replica: an engine URL and, where that has several ranks, the rank to pin. */
export type ReplicaPlace = {
  readonly process: EngineProcess;
  /** Index into the reading's ranks. */
  readonly position: number;
  readonly rank: number | null;
};

/** What a replica is called by every warden, whatever its number there. */
export const replicaId = ({ process, rank }: ReplicaPlace): string => `${process.url}#${rank ?? 0}`;

/** All replicas in the order of the configured URLs, each URL's ranks in theirs. */
export function replicaPlaces(processes: readonly EngineProcess[]): readonly ReplicaPlace[] {
  return processes.flatMap((process) =>
    Array.from({ length: process.ranks }, (_, position) => ({
      process,
      position,
      rank: process.ranks > 1 ? (process.reading?.ranks[position]?.rank ?? position) : null,
    })),
  );
}
