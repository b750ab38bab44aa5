import { RecencyList } from './recency-list.ts';
import type { DecisionKind, SessionKey } from './types.ts';

/** A conversation and where it lives. Times are ms as given to the router. */
export type Home = {
  readonly keyHash: string;
  readonly source: string;
  readonly replica: number;
  /** Where it is sent while `replica` is down; remembered afterwards, as part of its cache stays there. */
  readonly standIn: number | null;
  /** Replicas other than `replica` that hold part of it as they served it before, the latest first; at most three. */
  readonly warm: readonly number[];
  /** When its last request began or ended. */
  readonly lastUsedAt: number;
  readonly inFlight: number;
  readonly turns: number;
  /** True while it was only ever one small request, as a one-shot prompt is. */
  readonly small: boolean;
  readonly spills: number;
  readonly spillsInARow: number;
  readonly lastDecision: DecisionKind | null;
};

/** What is worth keeping of a home over a restart of the router. */
export type RememberedHome = Pick<Home, 'keyHash' | 'source' | 'replica' | 'lastUsedAt' | 'turns' | 'small'>;

/** A home as the table and the router change it. `isLive` is null once it has left the table. */
export type HomeEntry = { -readonly [Field in keyof Home]: Home[Field] } & {
  isLive: boolean | null;
  older: HomeEntry | null;
  newer: HomeEntry | null;
};

/** vLLM's KV gauge shows running requests only; a conversation used this recently is taken to hold cache as well. */
const LIVE_MS = 5 * 60_000;
/** A home that was idle for so long, in ms, is forgotten. */
export const FORGET_AFTER_MS = 30 * 60_000;

/**
 * The homes of one model's conversations, at most `maxHomes`. All are in one of two lists by last use, live and idle,
 * so that expiring and counting cost constant time a request. Nothing expires while a request of it is in flight.
 */
export class HomeTable {
  readonly #maxHomes: number;
  readonly #entries = new Map<string, HomeEntry>();
  readonly #live = new RecencyList<HomeEntry>();
  readonly #idle = new RecencyList<HomeEntry>();
  #liveCounts: number[];

  constructor(replicaCount: number, maxHomes: number) {
    this.#maxHomes = maxHomes;
    this.#liveCounts = Array.from({ length: replicaCount }, () => 0);
  }

  get(keyHash: string): HomeEntry | null {
    return this.#entries.get(keyHash) ?? null;
  }

  liveSessions(replica: number): number {
    return this.#liveCounts[replica] ?? 0;
  }

  /** Most recently used first. To be read at once: the entries change with the next request. */
  *all(): Generator<Home> {
    yield* this.#live;
    yield* this.#idle;
  }

  /** Lets the time pass: what was not used for five minutes is no longer live, and what is too old is forgotten. */
  advance(now: number): void {
    for (
      let entry = this.#live.oldest;
      entry !== null && now - entry.lastUsedAt >= LIVE_MS;
      entry = this.#live.oldest
    ) {
      if (entry.inFlight > 0) this.touch(entry, now);
      else if (entry.small) this.remove(entry);
      else this.#retire(entry);
    }
    for (let entry = this.#idle.oldest; entry !== null && now - entry.lastUsedAt >= FORGET_AFTER_MS; ) {
      this.remove(entry);
      entry = this.#idle.oldest;
    }
  }

  add(key: SessionKey, replica: number, small: boolean, now: number): HomeEntry {
    const entry = newEntry({ keyHash: key.hash, source: key.source, replica, lastUsedAt: now, turns: 1, small });
    this.#entries.set(entry.keyHash, entry);
    this.#makeLive(entry);
    this.#trim();
    return entry;
  }

  /** Marks a use. Does nothing to an entry that was forgotten meanwhile. */
  touch(entry: HomeEntry, now: number): void {
    if (entry.isLive === null) return;
    this.#leaveList(entry);
    entry.lastUsedAt = now;
    this.#makeLive(entry);
  }

  move(entry: HomeEntry, replica: number): void {
    if (entry.isLive === true) {
      this.#countLive(entry.replica, -1);
      this.#countLive(replica, 1);
    }
    entry.replica = replica;
    entry.spillsInARow = 0;
    if (entry.standIn === replica) entry.standIn = null;
    if (entry.warm.includes(replica)) entry.warm = entry.warm.filter((other) => other !== replica);
  }

  remove(entry: HomeEntry): void {
    this.#leaveList(entry);
    entry.isLive = null;
    this.#entries.delete(entry.keyHash);
  }

  /**
   * The caches of these replicas are gone. A conversation that had a stand-in elsewhere, or whose last turn was spilled
   * elsewhere, has its home there now.
   */
  dropReplicas(isGone: (replica: number) => boolean): void {
    for (const entry of [...this.#entries.values()]) {
      if (entry.standIn !== null && isGone(entry.standIn)) entry.standIn = null;
      if (entry.warm.some(isGone)) entry.warm = entry.warm.filter((replica) => !isGone(replica));
      if (!isGone(entry.replica)) continue;
      const next = entry.standIn ?? (entry.lastDecision === 'spilled' ? entry.warm[0] : undefined);
      if (next === undefined) this.remove(entry);
      else this.move(entry, next);
    }
  }

  resize(replicaCount: number): void {
    this.dropReplicas((replica) => replica >= replicaCount);
    this.#liveCounts = Array.from({ length: replicaCount }, (_, replica) => this.liveSessions(replica));
  }

  /** Takes over what was remembered, under the homes that have been made since. */
  restore(remembered: Iterable<RememberedHome>, now: number): void {
    const current = [...this.#live, ...this.#idle];
    for (const entry of current) this.#leaveList(entry);
    const missing = [...remembered]
      .filter((home) => home.replica < this.#liveCounts.length && !this.#entries.has(home.keyHash))
      .map((home) => newEntry({ ...home, lastUsedAt: Math.min(home.lastUsedAt, now) }));
    for (const entry of [...current, ...missing].sort((a, b) => a.lastUsedAt - b.lastUsedAt)) {
      this.#entries.set(entry.keyHash, entry);
      this.#makeLive(entry);
    }
    this.advance(now);
    this.#trim();
  }

  #trim(): void {
    while (this.#entries.size > this.#maxHomes) {
      const oldest = this.#idle.oldest ?? this.#live.oldest;
      if (oldest === null) return;
      this.remove(oldest);
    }
  }

  #makeLive(entry: HomeEntry): void {
    entry.isLive = true;
    this.#live.add(entry);
    this.#countLive(entry.replica, 1);
  }

  #retire(entry: HomeEntry): void {
    this.#leaveList(entry);
    entry.isLive = false;
    this.#idle.add(entry);
  }

  #leaveList(entry: HomeEntry): void {
    if (entry.isLive === true) {
      this.#live.remove(entry);
      this.#countLive(entry.replica, -1);
    } else if (entry.isLive === false) this.#idle.remove(entry);
  }

  #countLive(replica: number, by: 1 | -1): void {
    this.#liveCounts[replica] = this.liveSessions(replica) + by;
  }
}

function newEntry({ keyHash, source, replica, lastUsedAt, turns, small }: RememberedHome): HomeEntry {
  return {
    keyHash,
    source,
    replica,
    lastUsedAt,
    turns,
    small,
    standIn: null,
    warm: [],
    inFlight: 0,
    spills: 0,
    spillsInARow: 0,
    lastDecision: null,
    isLive: null,
    older: null,
    newer: null,
  };
}
