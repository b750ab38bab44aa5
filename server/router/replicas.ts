import { isDeepStrictEqual } from 'node:util';
import type { ModelConfig } from '#lib/config/schema.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import type { EventFacts } from '#server/store/store.ts';
import { DrainedReplicas } from './drained-replicas.ts';
import { type EngineProcess, type ReplicaPlace, replicaPlaces } from './engine-process.ts';
import { EngineWatch, type PollerFactory, type ProcessWitness } from './engine-watch.ts';

/** What becomes of replicas; all by their numbers. */
export type ReplicaEvents = {
  /** What decisions are made from may have changed. */
  onChange(): void;
  onReading(replicas: readonly number[]): void;
  /** Their caches are cold: the engine is another run than before. */
  onRestart(replicas: readonly number[]): void;
  /** Down so long that their conversations' caches are elsewhere by now, or left. */
  onAway(replicas: readonly number[]): void;
  /** There are other places now, and these numbers mean other replicas than before. */
  onRenumbered(others: readonly number[]): void;
  onRanks(process: EngineProcess): void;
  onEvent(kind: string, detail: string, facts: EventFacts | null): void;
};

export type ReplicasOptions = {
  readonly config: ModelConfig;
  readonly createPoller: PollerFactory;
  /** A clock that never jumps, in ms. */
  readonly steadyNow: () => number;
  /** Requests in flight on a replica: one that leaves stays until there are none. */
  readonly inFlight: (replica: number) => number;
  /** Nobody else has these replicas. */
  readonly isAlone: boolean;
  readonly events: ReplicaEvents;
};

export type NumberedReplica = readonly [number, ReplicaPlace];

/**
 * The replicas of one model and their numbers. They come and go with the configuration; one that has left leaves a gap,
 * so that those behind it keep their numbers.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #watch: EngineWatch;
  readonly #drained = new DrainedReplicas();
  #places: readonly ReplicaPlace[];

  constructor(options: ReplicasOptions) {
    const { config, createPoller, steadyNow, events } = options;
    this.#options = options;
    this.#watch = new EngineWatch({
      config,
      createPoller,
      now: steadyNow,
      events: {
        onChange: () => events.onChange(),
        onReading: (process) => events.onReading(this.#numbersOf(process)),
        onRestart: (process) => events.onRestart(this.#numbersOf(process)),
        onRanks: (process, ranks) => this.#changeRanks(process, ranks),
        onLongDown: (process) => events.onAway(this.#numbersOf(process)),
        onEvent: (kind, detail, facts) => events.onEvent(kind, detail, facts),
      },
    });
    this.#places = replicaPlaces(this.#watch.slots);
    this.#drained.renumber(this.#places);
  }

  /** The engine processes that are there. */
  get processes(): readonly EngineProcess[] {
    return this.#watch.processes;
  }

  /** By number, those that have left among them. */
  get places(): readonly ReplicaPlace[] {
    return this.#places;
  }

  /** Those that are there. */
  get there(): readonly NumberedReplica[] {
    return [...this.#places.entries()].filter(([, { process }]) => !process.isGone);
  }

  /** Where a decision for `replica` goes; null: to the one process there is, whose engine chooses. */
  placeFor(replica: number | null): ReplicaPlace {
    // It may stand behind the places of others that have left.
    const place = replica === null ? this.#places.find(({ process }) => !process.isGone) : this.#places[replica];
    if (place === undefined) throw new Error(`decision names replica ${replica} of ${this.#places.length}`);
    return place;
  }

  /** Those that may serve a request: of one that its client pinned only that one, and none where it has left. */
  servingFor({ pin, unpinnable }: RoutedRequest): readonly NumberedReplica[] {
    if (pin === null || unpinnable !== null) return this.there;
    const place = this.#places[pin];
    return place === undefined || place.process.isGone ? [] : [[pin, place]];
  }

  /** The names of the replicas that persons drain, those that only other wardens know among them. */
  get drainedNames(): readonly string[] {
    return this.#drained.names;
  }

  isDraining(replica: number): boolean {
    return this.#drained.has(replica) || this.#places[replica]?.process.isLeaving === true;
  }

  /** False where a person has it so already. */
  setDraining(replica: number, draining: boolean): boolean {
    if (this.#drained.has(replica) === draining) return false;
    this.#drained.set(replica, draining);
    return true;
  }

  /** Takes over the names of drained replicas from another warden; see `DrainedReplicas.take`. */
  takeDrained(names: readonly string[]): ReturnType<DrainedReplicas['take']> {
    return this.#drained.take(names);
  }

  /** Polls every engine once, and goes on polling. Resolves after the first polls, reachable or not. */
  start(): Promise<void> {
    return this.#watch.start();
  }

  stop(): Promise<void> {
    return this.#watch.stop();
  }

  witness(process: EngineProcess): ProcessWitness {
    return this.#watch.witness(process);
  }

  /** Takes up another list of engines. Those that appear come behind the others, or take the number of one that left. */
  reconfigure(replicas: ModelConfig['replicas']): void {
    if (isDeepStrictEqual(replicas, this.processes.map(entryOf))) return;
    this.#watch.setReplicas(replicas);
    this.#renumber((replica, { process }) => this.#places[replica]?.process !== process);
    this.retireIdle();
    this.#options.events.onChange();
  }

  /** Engines that were taken out of the configuration leave once nothing runs there. */
  retireIdle(): void {
    const { inFlight, isAlone, events } = this.#options;
    for (const process of this.processes) {
      const numbers = this.#numbersOf(process);
      if (!process.isLeaving || numbers.some((replica) => inFlight(replica) > 0)) continue;
      this.#watch.retire(process);
      // Alone, nobody else has it drained, and another engine may come to its address.
      if (isAlone) for (const replica of numbers) this.#drained.set(replica, false);
      events.onAway(numbers);
      events.onEvent('replica_left', `${process.url} has left: it is no longer configured`, null);
    }
  }

  #changeRanks(process: EngineProcess, ranks: number): void {
    const first = this.#places.findIndex((place) => place.process === process);
    process.ranks = ranks;
    // From the first replica whose place moved, an index means another replica than before.
    this.#renumber((replica) => replica >= first);
    this.#options.events.onRanks(process);
  }

  #renumber(isAnother: (replica: number, before: ReplicaPlace) => boolean): void {
    const before = this.#places;
    this.#places = replicaPlaces(this.#watch.slots);
    this.#drained.renumber(this.#places);
    const others = [...before.entries()].filter(([replica, place]) => isAnother(replica, place));
    this.#options.events.onRenumbered(others.map(([replica]) => replica));
  }

  #numbersOf(process: EngineProcess): readonly number[] {
    return this.#places.flatMap((place, replica) => (place.process === process ? [replica] : []));
  }
}

/** Whether a runtime can go on with other engines: it keeps some, and those it keeps are described as before. */
export function keepsEngines(before: ModelConfig['replicas'], after: ModelConfig['replicas']): boolean {
  const known = new Map(before.map(({ url, ranks }) => [url, ranks]));
  const kept = after.filter(({ url }) => known.has(url));
  const isAny = kept.length > 0 || before.length === 0;
  return isAny && kept.every(({ url, ranks }) => known.get(url) === ranks);
}

const entryOf = ({ url, configuredRanks }: EngineProcess) => ({ url, ranks: configuredRanks });
