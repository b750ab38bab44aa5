import type { Logger } from 'pino';
import type { ModelConfig } from '#lib/config/schema.ts';
import { createRouter, type Router } from '#lib/routing/router.ts';
import type { FleetView, Lease, RoutedRequest } from '#lib/routing/types.ts';
import type { Poll, Poller } from '#server/engines/poller.ts';
import type { ModelSetting, Store } from '#server/store/store.ts';
import {
  type EngineProcess,
  freshReading,
  newEngineProcess,
  type ReplicaPlace,
  replicaPlaces,
  takesRequests,
} from './engine-process.ts';
import type { Placement } from './placement.ts';
import { type EffectivePolicy, effectivePolicy } from './policy.ts';
import { createReplicaHistory, type ReplicaHistory } from './replica-history.ts';
import { engineMarks, restoreMemory, takeMemory } from './router-memory.ts';
import { createSessionActivities, type SessionActivities } from './session-activity.ts';

export type PollerFactory = (
  url: string,
  apiKey: string | null,
  events: { readonly onPoll: (poll: Poll) => void; readonly onFailure: (error: Error) => void },
) => Poller;

export type ModelRuntimeOptions = {
  readonly config: ModelConfig;
  readonly setting: ModelSetting;
  readonly store: Store;
  readonly log: Logger;
  readonly now: () => number;
  readonly createPoller: PollerFactory;
};

/** A request on its way, as the Sessions page counts it. */
export type TurnResult = {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
};

/** Homes and counters are saved this often while they change; a crash loses at most this much of them. */
const MEMORY_INTERVAL_MS = 5_000;
const FAILED_POLLS_UNTIL_DOWN = 3;
/** Down for this long, a conversation's cache is with its stand-in rather than at home. */
const DOWN_UNTIL_HOMES_MOVE_MS = 60_000;
const NOBODY_ANSWERS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * One model as the router runs it: its engine processes and what they last said, its routing state, its policy.
 * The decisions are lib/routing's; this holds what they are made from, and gives out places.
 */
export class ModelRuntime {
  readonly config: ModelConfig;
  readonly processes: readonly EngineProcess[];
  readonly sessions: SessionActivities = createSessionActivities();
  readonly #options: ModelRuntimeOptions;
  readonly #router: Router;
  readonly #pollers: Poller[] = [];
  readonly #history: ReplicaHistory;
  #places: readonly ReplicaPlace[];
  #view: FleetView = { replicas: [], engineBalances: false };
  #setting: ModelSetting;
  #policy: EffectivePolicy;
  #since: number;
  #changed = false;
  #memoryTimer: NodeJS.Timeout | null = null;

  constructor(options: ModelRuntimeOptions) {
    this.#options = options;
    this.config = options.config;
    this.processes = options.config.replicas.map((replica) => newEngineProcess(replica.url, replica.ranks));
    this.#places = replicaPlaces(this.processes);
    this.#router = createRouter({ replicaCount: this.#places.length });
    this.#setting = options.setting;
    this.#policy = effectivePolicy(options.config, options.setting, null);
    this.#since = options.now();
    this.#history = createReplicaHistory(options.store, options.config.name);
    this.#refreshView();
  }

  get name(): string {
    return this.config.name;
  }
  get servedModelName(): string {
    return this.config.served_model_name ?? this.processes[0]?.facts?.models[0]?.id ?? this.config.name;
  }
  get aliases(): readonly string[] {
    return this.config.aliases;
  }
  /** The largest context, in tokens, that all of its engines take; null where none has said. */
  get maxModelLen(): number | null {
    const lengths = this.processes.flatMap((process) => process.facts?.models[0]?.maxModelLen ?? []);
    return lengths.length > 0 ? Math.min(...lengths) : null;
  }
  get simulated(): boolean {
    return this.processes.some((process) => process.facts?.simulated === true);
  }
  get router(): Router {
    return this.#router;
  }
  get places(): readonly ReplicaPlace[] {
    return this.#places;
  }
  get setting(): ModelSetting {
    return this.#setting;
  }
  get policy(): EffectivePolicy {
    return this.#policy;
  }
  get since(): number {
    return this.#since;
  }
  /** Several URLs: the router itself chooses where affinity is off. One URL with ranks: the engine does. */
  get engineBalances(): boolean {
    return this.#view.engineBalances;
  }

  /** Share of cached prompt tokens of a replica over the last five minutes, 0..1. */
  recentHitShare(replica: number): number | null {
    return this.#history.recentHitShare(replica);
  }

  /**
   * Polls every engine once, takes up what is remembered from before a restart of this process if the engines are
   * still the same run, and goes on polling. Resolves after the first polls, reachable or not.
   */
  async start(): Promise<void> {
    const memory = await this.#options.store.routerMemory(this.name);
    const first = this.processes.map((process) => this.#startPolling(process));
    await Promise.all(first);
    if (memory !== null) {
      const { processes, places, router } = this;
      this.#since = restoreMemory({ memory, router, processes, places, now: this.#options.now() }) ?? this.#since;
    }
    this.#memoryTimer = setInterval(() => this.#remember(), MEMORY_INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#memoryTimer !== null) clearInterval(this.#memoryTimer);
    await Promise.all(this.#pollers.map((poller) => poller.stop()));
    this.#remember();
  }

  /** The name to ask the engine for: one it serves is left alone (LoRA adapters, second names), others are replaced. */
  upstreamModel(requested: string): string {
    const served = this.processes.some((process) => process.facts?.models.some((model) => model.id === requested));
    return served ? requested : this.servedModelName;
  }

  /** Takes a place for a request; null when no replica is up. */
  place(request: RoutedRequest, client: string | null): Placement | null {
    if (this.processes.some((process) => process.circuit.isOpen)) this.#refreshView();
    const lease = this.#router.acquire(request, this.#view, this.#policy, this.#options.now());
    if (lease === null) return null;
    this.#changed = true;
    if (request.key !== null && request.role === 'turn') {
      this.sessions.started(request.key.hash, client, lease.decision.kind);
    }
    return this.#placement(lease, request);
  }

  /** A request that had a place is done. */
  turnFinished(request: RoutedRequest, result: TurnResult): void {
    if (request.key !== null && request.role === 'turn') this.sessions.finished(request.key.hash, result);
  }

  /** Puts a console edit in force for the next request, once it is saved. Rejects when it could not be saved. */
  async changeSetting(change: Partial<ModelSetting>): Promise<void> {
    const before = this.#policy;
    const setting = { ...this.#setting, ...change };
    await this.#options.store.saveSetting(this.name, setting);
    this.#setting = setting;
    this.#refreshPolicy();
    this.#recordPolicyChange(before, this.#policy);
  }

  #placement(lease: Lease, request: RoutedRequest): Placement {
    const { decision } = lease;
    const place = decision.replica === null ? this.#places[0] : this.#places[decision.replica];
    if (place === undefined) throw new Error(`decision names replica ${decision.replica} of ${this.#places.length}`);
    // On several URLs with ranks each, an endpoint without the pin reaches the URL, but the rank stays the engine's.
    const engineChooses = decision.replica === null || (request.unpinnable !== null && place.process.ranks > 1);
    const watched = place.process.circuit.watch();
    return {
      decision,
      replica: engineChooses ? null : decision.replica,
      target: { url: place.process.url, rank: engineChooses ? null : place.rank },
      answered: () => this.#onCircuit(place.process, () => watched.answered()),
      broke: (message) => {
        // Behind a single URL there is nowhere else to go, so nothing is gained by leaving it alone.
        if (this.processes.length === 1) return false;
        this.#onCircuit(place.process, () => watched.broke(this.#options.now()), message);
        return place.process.circuit.isOpen;
      },
      release: (complete) => {
        this.#onCircuit(place.process, () => watched.ended(complete));
        lease.release(this.#options.now());
      },
      unreachable: () => {
        watched.ended(false);
        this.#noteUnreachable(place.process);
      },
      failOver: () => {
        const other = this.#router.failOver(lease, request, this.#view, this.#policy, this.#options.now());
        return other === null ? null : this.#placement(other, request);
      },
    };
  }

  #startPolling(process: EngineProcess): Promise<void> {
    return new Promise((firstPollDone) => {
      const poller = this.#options.createPoller(process.url, this.config.api_key ?? null, {
        onPoll: (poll) => {
          this.#onPoll(process, poll);
          firstPollDone();
        },
        onFailure: (error) => {
          this.#onPollFailure(process, error);
          firstPollDone();
        },
      });
      this.#pollers.push(poller);
    });
  }

  #onPoll(process: EngineProcess, poll: Poll): void {
    process.failedPolls = 0;
    process.facts = poll.facts;
    process.reading = poll.reading;
    if (poll.restarted) this.#onRestart(process, poll.reading.takenAt);
    if (!process.circuit.isOpen) {
      process.error = poll.healthy ? null : 'the engine answers, but reports itself dead (GET /health: 503)';
      if (process.up !== poll.healthy) this.#setUp(process, poll.healthy);
    }
    this.#moveHomes(process);
    const ranks = this.#ranksSeen(process, poll);
    if (ranks !== process.ranks) this.#changeRanks(process, ranks);
    this.#refreshPolicy();
    this.#refreshView();
    this.#history.record(this.#replicasOf(process), this.#places, this.#router, this.#options.now());
  }

  /** One poor reading must not shrink the fleet and forget homes: fewer ranks count only from a restarted engine. */
  #ranksSeen(process: EngineProcess, { reading, restarted }: Poll): number {
    const configured = this.config.replicas[this.processes.indexOf(process)]?.ranks ?? 'auto';
    if (configured !== 'auto') return configured;
    const seen = reading.ranks.length;
    return restarted && seen > 0 ? seen : Math.max(process.ranks, seen);
  }

  /** A busy engine may be late with its metrics: only one that nobody answers for is down at once. */
  #onPollFailure(process: EngineProcess, error: Error): void {
    process.failedPolls += 1;
    process.error = error.message;
    if (process.up && (isUnreachable(error) || process.failedPolls >= FAILED_POLLS_UNTIL_DOWN)) {
      this.#setUp(process, false);
    }
    this.#moveHomes(process);
    this.#refreshView();
  }

  /** Does what may open or close a circuit, and puts the process down or up with it. */
  #onCircuit(process: EngineProcess, act: () => void, message = ''): void {
    const { isOpen } = process.circuit;
    act();
    if (process.circuit.isOpen === isOpen) return;
    if (!isOpen) process.error = `its requests break off one after the other: ${message}`;
    // Where its polls fail as well, the next one that does not puts it up.
    if (process.up === !isOpen && (!isOpen || process.failedPolls === 0)) this.#setUp(process, isOpen);
    this.#refreshView();
  }

  /** A short outage moves no conversation: it goes on with a stand-in and comes home. A long one does. */
  #moveHomes(process: EngineProcess): void {
    const now = this.#options.now();
    if (process.downSince === null || now - process.downSince < DOWN_UNTIL_HOMES_MOVE_MS) return;
    process.downSince = null;
    if (this.processes.length === 1) return;
    for (const replica of this.#replicasOf(process)) this.#router.forgetReplica(replica);
    this.#changed = true;
  }

  /** The data path met a dead address: out of the choice at once; the poll that is asked for now tells the truth. */
  #noteUnreachable(process: EngineProcess): void {
    process.error = `no connection to ${process.url}`;
    if (process.up) this.#setUp(process, false);
    this.#refreshView();
    this.#pollers[this.processes.indexOf(process)]?.pollNow();
  }

  #onRestart(process: EngineProcess, at: number): void {
    process.restartedAt = at;
    process.circuit.reset();
    for (const replica of this.#replicasOf(process)) {
      this.#router.forgetReplica(replica);
      this.#history.clear(replica);
    }
    this.#changed = true;
    this.#event('engine_restarted', `${process.url} restarted: its caches are cold, conversations are placed anew`);
  }

  #setUp(process: EngineProcess, up: boolean): void {
    process.up = up;
    process.downSince = up ? null : this.#options.now();
    this.#event(up ? 'engine_up' : 'engine_down', up ? `${process.url} is up` : `${process.url}: ${process.error}`);
  }

  #changeRanks(process: EngineProcess, ranks: number): void {
    const first = this.#places.findIndex((place) => place.process === process);
    const before = this.#places.length;
    process.ranks = ranks;
    this.#places = replicaPlaces(this.processes);
    // From the first replica whose place moved, an index means another replica than before.
    for (let replica = Math.max(0, first); replica < before; replica += 1) {
      this.#router.forgetReplica(replica);
      this.#history.clear(replica);
    }
    this.#router.resize(this.#places.length);
    this.#options.log.info({ model: this.name, url: process.url, ranks }, 'ranks discovered');
  }

  #replicasOf(process: EngineProcess): readonly number[] {
    return this.#places.flatMap((place, replica) => (place.process === process ? [replica] : []));
  }

  #refreshPolicy(): void {
    const told = this.processes.map((process) => process.facts?.maxNumSeqs ?? null).filter((value) => value !== null);
    const engineMaxNumSeqs = told.length > 0 ? Math.min(...told) : null;
    this.#policy = effectivePolicy(this.config, this.#setting, engineMaxNumSeqs);
  }

  #refreshView(): void {
    const now = this.#options.now();
    this.#view = {
      engineBalances: this.processes.length === 1 && this.#places.length > 1,
      replicas: this.#places.map(({ process, position }) => {
        const rank = freshReading(process, now)?.ranks[position];
        return {
          up: takesRequests(process, this.processes, now),
          draining: false,
          kvUsage: rank?.kvUsage ?? null,
          running: rank?.running ?? null,
          waiting: rank?.waiting ?? null,
        };
      }),
    };
  }

  #remember(): void {
    if (!this.#changed) return;
    this.#changed = false;
    const memory = takeMemory(this.#router, this.#since, engineMarks(this.processes), this.#options.now());
    this.#options.store.rememberRouter(this.name, memory);
  }

  #recordPolicyChange(before: EffectivePolicy, after: EffectivePolicy): void {
    if (before.affinity !== after.affinity) {
      this.#event(after.affinity ? 'affinity_on' : 'affinity_off', `affinity turned ${after.affinity ? 'on' : 'off'}`);
    }
    if (before.spillThreshold !== after.spillThreshold || before.thresholdSource !== after.thresholdSource) {
      const text = (policy: EffectivePolicy): string =>
        policy.thresholdSource === 'auto' ? `${policy.spillThreshold} (auto)` : String(policy.spillThreshold);
      this.#event('spill_threshold', `spill threshold changed from ${text(before)} to ${text(after)}`);
    }
  }

  #event(kind: string, detail: string): void {
    this.#options.store.recordEvent({ at: this.#options.now(), model: this.name, kind, detail });
    this.#options.log.info({ model: this.name, kind }, detail);
  }
}

function isUnreachable(error: Error): boolean {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && NOBODY_ANSWERS.has(cause.code);
}
