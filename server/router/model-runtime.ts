import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { ownChangeEntry } from '#lib/access/own-change.ts';
import type { NewAuditEntry } from '#lib/access/types.ts';
import { confine } from '#lib/cache-fit/confine.ts';
import { NOTHING_ELSEWHERE } from '#lib/cache-fit/types.ts';
import type { ModelConfig } from '#lib/config/schema.ts';
import type { Miss } from '#lib/conversations/miss.ts';
import { mayHaveMissed } from '#lib/conversations/why-missed.ts';
import { createRouter, type MovedHome } from '#lib/routing/router.ts';
import type { FleetView, Lease, RoutedRequest } from '#lib/routing/types.ts';
import type { Fleet } from '#server/fleet/fleet.ts';
import type { SharedModel } from '#server/fleet/shared-model.ts';
import type { EventFacts, ModelSetting, Store } from '#server/store/store.ts';
import { AdmissionGate } from './admission-gate.ts';
import type { AdmissionPass } from './admission-pass.ts';
import { admittedDecision } from './admitted-decision.ts';
import { ClockedRouter } from './clocked-router.ts';
import { DrainedReplicas } from './drained-replicas.ts';
import { type EngineProcess, freshReading, type ReplicaPlace, replicaPlaces, takesRequests } from './engine-process.ts';
import { EngineWatch, type PollerFactory } from './engine-watch.ts';
import { createFleetHost, type SharedSetting } from './fleet-host.ts';
import { HomeMemory } from './home-memory.ts';
import { createInFlightRequests, type Flight, type InFlightRequests } from './in-flight.ts';
import { createModelClock, type ModelClock } from './model-clock.ts';
import { ModelSettings } from './model-settings.ts';
import { placeShared } from './place-shared.ts';
import type { Placement } from './placement.ts';
import type { EffectivePolicy } from './policy.ts';
import { createReplicaHistory, type ReplicaHistory } from './replica-history.ts';
import { createSessionActivities, type FinishedTurn, type SessionActivities } from './session-activity.ts';
import { settingChangeEntry } from './setting-change.ts';
import { shownKey } from './shown-key.ts';
import { createUpWaiters } from './up-waiters.ts';

export type ModelRuntimeOptions = {
  readonly config: ModelConfig;
  readonly setting: ModelSetting;
  readonly store: Store;
  readonly log: Logger;
  /** The wall clock, and one that never jumps; both in ms. */
  readonly now: () => number;
  readonly steadyNow: () => number;
  readonly createPoller: PollerFactory;
  /** How long cache-fit admission may hold a turn; the configuration's. */
  readonly maxHoldMs: () => number;
  /** The other wardens in front of the same engines; null where this is the only one. */
  readonly fleet?: Fleet | null;
};

/** How a turn ended, as far as the Sessions page tells of it. */
export type TurnResult = Omit<FinishedTurn, 'restartedAt' | 'workingSetTokens' | 'cacheTokens' | 'blockTokens'>;

/** A request with the place that it has and the pass that it came with. */
type Placed = { readonly lease: Lease; readonly request: RoutedRequest; readonly pass: AdmissionPass };
/** When a request took its place, and the client that it is of. */
type FlightOrigin = { readonly startedAt: number; readonly client: string | null };

/**
 * One model as the router runs it: its engine processes and what they last said, its routing state, its policy.
 * The decisions are lib/routing's; this holds what they are made from, and gives out places.
 */
export class ModelRuntime {
  readonly sessions: SessionActivities = createSessionActivities();
  readonly inFlight: InFlightRequests = createInFlightRequests();
  readonly admission: AdmissionGate;
  readonly #options: ModelRuntimeOptions;
  readonly #clock: ModelClock;
  readonly #router: ClockedRouter;
  readonly #watch: EngineWatch;
  readonly #history: ReplicaHistory;
  readonly #memory: HomeMemory;
  readonly #waiters = createUpWaiters();
  readonly #drained = new DrainedReplicas();
  readonly #settings: ModelSettings;
  #config: ModelConfig;
  #places: readonly ReplicaPlace[];
  #open: readonly boolean[] = [];
  #view: FleetView = { replicas: [], engineBalances: false };
  #isClosed = false;
  #shared: SharedModel | null = null;

  constructor(options: ModelRuntimeOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#watch = new EngineWatch({
      config: options.config,
      createPoller: options.createPoller,
      now: options.steadyNow,
      events: {
        onChange: () => this.#onEnginesChanged(),
        onReading: (process) => this.#onReading(process),
        onRestart: (process) => this.#forgetProcess(process),
        onRanks: (process, ranks) => this.#changeRanks(process, ranks),
        onLongDown: (process) => this.#moveHomes(process),
        onEvent: (kind, detail, facts) => this.#event(kind, detail, facts),
      },
    });
    this.#places = replicaPlaces(this.#watch.slots);
    // Wardens that start together must not all begin with the same replica.
    const firstScanned = options.fleet ? randomInt(Math.max(1, this.#places.length)) : 0;
    this.#clock = createModelClock(options.now, options.steadyNow);
    this.#router = new ClockedRouter(createRouter({ replicaCount: this.#places.length, firstScanned }), this.#clock);
    this.#drained.renumber(this.#places);
    this.#settings = new ModelSettings({
      config: options.config,
      setting: options.setting,
      store: options.store,
      onPolicy: (policy) => this.admission.configure(policy),
      onEvent: ({ kind, detail, facts }) => this.#event(kind, detail, facts),
    });
    const memory = { model: options.config.name, store: options.store, clock: this.#clock };
    this.#memory = new HomeMemory({ ...memory, router: this.#router, places: () => this.#places });
    this.#history = createReplicaHistory(options.store, options.config.name);
    const { steadyNow, maxHoldMs, log } = options;
    const isOpen = (replica: number): boolean => this.#open[replica] ?? false;
    const homeOf = (keyHash: string): number | null => this.#router.home(keyHash)?.replica ?? null;
    const { toWall } = this.#clock;
    const gate = { model: options.config.name, isOpen, homeOf, now: steadyNow, toWall, maxHoldMs, log };
    this.admission = new AdmissionGate(gate);
    this.admission.configure(this.policy);
    this.#refreshView();
  }

  get config(): ModelConfig {
    return this.#config;
  }
  get processes(): readonly EngineProcess[] {
    return this.#watch.processes;
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
  get router(): ClockedRouter {
    return this.#router;
  }
  get places(): readonly ReplicaPlace[] {
    return this.#places;
  }
  /** The replicas that are there, each with its number: one that has left leaves a gap. */
  get replicas(): readonly (readonly [number, ReplicaPlace])[] {
    return [...this.#places.entries()].filter(([, { process }]) => !process.isGone);
  }
  get setting(): ModelSetting {
    return this.#settings.setting;
  }
  get policy(): EffectivePolicy {
    return this.#settings.policy;
  }
  get since(): number {
    return this.#memory.since;
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
   * Polls every engine once, takes up what is remembered from before a restart of this process where its engine is
   * still the same run, and goes on polling. Resolves after the first polls, reachable or not.
   */
  async start(): Promise<void> {
    await this.#memory.open();
    await this.#watch.start();
    this.#joinFleet();
  }

  /**
   * Takes up a changed entry of the configuration with all that is in flight and at home. Engines that appear take new
   * conversations; those that are missing drain and leave. False where one that stays is described otherwise than
   * before (its key, its ranks): then it takes another runtime.
   */
  reconfigure(config: ModelConfig): boolean {
    if (config.name !== this.name || config.api_key !== this.#config.api_key) return false;
    if (!keepsEngines(this.#config.replicas, config.replicas)) return false;
    this.#config = config;
    if (!isDeepStrictEqual(config.replicas, this.processes.map(entryOf))) {
      this.#watch.setReplicas(config.replicas);
      this.#renumber((replica, { process }) => this.#places[replica]?.process !== process);
      this.#retireDrained();
      this.#refreshView();
    }
    this.#settings.reconfigure(config);
    this.#hearMaxNumSeqs();
    return true;
  }

  async close(): Promise<void> {
    this.#options.fleet?.leave(this.name);
    await this.#watch.stop();
    this.admission.close();
    this.#isClosed = true;
    this.#waiters.wake();
    this.#memory.close();
  }

  /** The name to ask the engine for: one it serves is left alone (LoRA adapters, second names), others are replaced. */
  upstreamModel(requested: string): string {
    const served = this.processes.some((process) => process.facts?.models.some((model) => model.id === requested));
    return served ? requested : this.servedModelName;
  }

  /** Takes a place for a request; null when no replica is up, or the one that it is pinned to has left. */
  place(request: RoutedRequest, client: string | null, pass: AdmissionPass): Placement | null {
    if (this.#replicasFor(request).length === 0) return null;
    if (this.processes.some((process) => process.circuit.isOpen)) this.#refreshView();
    const isResumed = request.key !== null && this.#router.home(request.key.hash) !== null;
    const lease = this.#router.acquire(request, confine(this.#view, pass.replica), this.policy);
    if (lease === null) return null;
    this.#memory.changed();
    this.#loadChanged(lease.decision.replica);
    if (request.key !== null && request.role === 'turn') {
      this.sessions.started(request.key.hash, client, lease.decision.kind, pass.gaveWay);
    }
    const placement = this.#placement({ lease, request, pass }, { startedAt: this.#options.now(), client });
    pass.placed(lease.decision.replica, isResumed);
    return placement;
  }

  /** Tokens that conversations of other wardens, of which admission knows nothing, keep on a replica. */
  workingSetElsewhere(replica: number): number {
    return this.#shared?.tokensElsewhere(replica) ?? 0;
  }

  /** Requests that other wardens have in flight on a replica, as last heard. */
  inFlightElsewhere(replica: number): number {
    return this.#shared?.elsewhere.inFlight(replica) ?? 0;
  }

  /** By replica id: live conversations that this warden was the first of the fleet to place; null where it is alone. */
  livePlacedHere(): Readonly<Record<string, number>> | null {
    return this.#shared?.livePlacedHere() ?? null;
  }

  /** Whether other wardens share the homes of this model, so that a place is to be taken with `placeAmong`. */
  get isShared(): boolean {
    return this.#shared !== null;
  }

  /** Takes a place by `place` where the conversation lives for all wardens; see `placeShared`. */
  async placeAmong(request: RoutedRequest, place: () => Placement | null): Promise<Placement | null> {
    const shared = this.#shared;
    if (shared === null) return place();
    const isGone = (replica: number): boolean => {
      const process = this.#places[replica]?.process;
      return process === undefined || (!process.up && (process.lastUpAt === null || process.downSince === null));
    };
    return placeShared({
      shared,
      router: this.#router,
      policy: this.policy,
      request,
      place,
      isGone,
    });
  }

  /**
   * Waits for an engine that was up a moment ago: one that restarts takes one to three minutes. Resolves true when a
   * replica takes this request, false when none does in time or the client has left. A request that its client pinned
   * waits for that replica alone. One that never was up is not waited for, nor one that has left.
   */
  whenUp(request: RoutedRequest, patienceMs: number, signal: AbortSignal): Promise<boolean> {
    return this.#waiters.wait(() => this.#isBackFor(request), patienceMs, signal);
  }

  #isBackFor(request: RoutedRequest): boolean | null {
    const replicas = this.#replicasFor(request);
    if (this.#isClosed || replicas.every(([, { process }]) => process.lastUpAt === null)) return false;
    return replicas.some(([replica]) => this.#view.replicas[replica]?.up) || null;
  }

  /** Those that may serve a request: of one that its client pinned only that one, and none where it has left. */
  #replicasFor({ pin, unpinnable }: RoutedRequest): ModelRuntime['replicas'] {
    if (pin === null || unpinnable !== null) return this.replicas;
    return this.replicas.filter(([replica]) => replica === pin);
  }

  /** Requests that wait for an engine to come back. */
  get waitingForEngine(): number {
    return this.#waiters.size;
  }

  isDraining(replica: number): boolean {
    return this.#drained.has(replica) || this.#places[replica]?.process.isLeaving === true;
  }

  /** The names of the replicas that persons drain, those that only other wardens know among them. */
  get drainedNames(): readonly string[] {
    return this.#drained.names;
  }

  /** A draining replica takes no new conversations; what runs there ends there. Forgotten when this process ends. */
  setDraining(replica: number, draining: boolean): void {
    if (this.#drained.has(replica) === draining) return;
    this.#drained.set(replica, draining);
    this.#onDrained(replica, draining);
    this.#options.fleet?.settingChanged(this.name);
  }

  #onDrained(replica: number, draining: boolean): void {
    this.#refreshView();
    this.#event(
      draining ? 'drain' : 'undrain',
      `replica ${replica} ${draining ? 'is draining: it takes no new conversations' : 'takes conversations again'}`,
      { replica },
    );
  }

  /**
   * Moves a conversation to another home, from its next turn on. `unfit`: that replica takes no conversations now;
   * `none`: it has no home, or there is no other replica that is open.
   */
  moveSession(keyHash: string, to: number | 'least_loaded'): MovedHome | 'unfit' | 'none' {
    this.#refreshView();
    const replica = to === 'least_loaded' ? null : this.#view.replicas[to];
    if (replica !== null && (replica === undefined || !replica.up || replica.draining)) return 'unfit';
    const moved = this.#router.moveHome(keyHash, to, this.#view, this.policy);
    if (moved === null) return 'none';
    this.#memory.replaced();
    this.admission.movedByHand(keyHash);
    this.#tellHome(keyHash, moved.to);
    const session = shownKey(keyHash);
    const detail = `session ${session} was moved by hand from replica ${moved.from} to replica ${moved.to}`;
    this.#event('session_moved', `${detail}; its next turn goes there`, { session, ...moved });
    return moved;
  }

  /** Forgets where a conversation lives: its next turn is placed anew. False where it had no home. */
  forgetSession(keyHash: string): boolean {
    const known = this.#router.forget(keyHash);
    if (!known) return false;
    this.#memory.replaced();
    this.admission.movedByHand(keyHash);
    this.#tellHome(keyHash, null);
    const session = shownKey(keyHash);
    const detail = `the home of session ${session} was forgotten; its next turn is placed anew`;
    this.#event('session_forgotten', detail, { session });
    return true;
  }

  /** A request that had a place is done. Returns why it missed the cache, where it did and that can be said. */
  turnFinished(request: RoutedRequest, result: TurnResult): Miss | null {
    if (request.key === null || request.role === 'side') return null;
    const place = result.replica === null ? undefined : this.#places[result.replica];
    return this.sessions.finished(request.key.hash, {
      ...result,
      restartedAt: place?.process.restartedAt ?? null,
      workingSetTokens: mayHaveMissed(result) ? this.admission.liveTokens(result.replica) : null,
      cacheTokens: place?.process.reading?.ranks[place.position]?.kvCapacityTokens ?? null,
      blockTokens: place?.process.reading?.blockSize ?? null,
    });
  }

  /**
   * Puts a change in force for the next request, once it is saved. Rejects when it could not be saved. `by`: who is to
   * stand for it in the audit list, null where the call that a person made is written down there.
   */
  async changeSetting(change: Partial<ModelSetting>, by: string | null = null): Promise<void> {
    const before = await this.#settings.change(change);
    this.#auditSetting(before, by);
    this.#options.fleet?.settingChanged(this.name);
  }

  #auditSetting(before: ModelSetting, by: string | null): void {
    if (by === null) return;
    const change = { model: this.name, before, after: this.setting, actor: by };
    this.#audit(settingChangeEntry(change, this.#options.now()));
  }

  #audit(entry: NewAuditEntry | null): void {
    if (entry === null) return;
    this.#options.store.addAudit(entry).catch((error: unknown) => {
      this.#options.log.error({ err: error, entry }, 'a change could not be written into the audit list');
    });
  }

  #joinFleet(): void {
    const { fleet = null } = this.#options;
    if (fleet === null) return;
    const host = createFleetHost({
      model: this,
      shared: () => this.#shared,
      take: (shared, by) => this.#takeShared(shared, by),
      elsewhereChanged: () => this.#hearElsewhere(),
    });
    this.#shared = fleet.join(host);
    this.#refreshView();
  }

  /** Another warden's person changed something. */
  async #takeShared({ setting, draining }: SharedSetting, by: string): Promise<void> {
    this.#auditSetting(await this.#settings.take(setting), by);
    for (const { replica, draining: drains } of this.#drained.take(draining)) {
      this.#onDrained(replica, drains);
      const change = { action: 'replica.drain', before: { draining: !drains }, after: { draining: drains } };
      this.#audit(ownChangeEntry({ actor: by, subject: `${this.name} · ${replica}`, ...change }, this.#options.now()));
    }
  }

  /** A person moved a conversation (null: forgot it), and the other wardens have to follow. */
  #tellHome(keyHash: string, replica: number | null): void {
    const source = this.#router.home(keyHash)?.source ?? 'console';
    this.#shared?.moved({ hash: keyHash, source }, replica, true);
  }

  #loadChanged(replica: number | null): void {
    if (replica !== null) this.#shared?.loadChanged(replica);
  }

  /** `origin`: who asks and since when, or the flight of a request that moves on to this lease. */
  #placement({ lease, request, pass }: Placed, origin: FlightOrigin | Flight): Placement {
    const decision = admittedDecision(lease.decision, pass);
    // Where the engine chooses there is one process, perhaps behind the places of others that have left.
    const place =
      decision.replica === null ? this.#places.find(({ process }) => !process.isGone) : this.#places[decision.replica];
    if (place === undefined) throw new Error(`decision names replica ${decision.replica} of ${this.#places.length}`);
    // On several URLs with ranks each, an endpoint without the pin reaches the URL, but the rank stays the engine's.
    const engineChooses = decision.replica === null || (request.unpinnable !== null && place.process.ranks > 1);
    const witness = this.#watch.witness(place.process);
    const replica = engineChooses ? null : decision.replica;
    const flight = 'ended' in origin ? origin : this.inFlight.started({ ...origin, request, decision, replica });
    if (flight === origin) flight.movedTo(decision, replica);
    return {
      decision,
      replica,
      target: { url: place.process.url, rank: engineChooses ? null : place.rank },
      answered: () => witness.answered(),
      firstByte: (at) => flight.firstByte(at),
      answering: () => pass.answering(),
      broke: (message) => witness.broke(message),
      release: (complete, usage) => {
        witness.ended(complete);
        flight.ended();
        this.#router.release(lease);
        this.#memory.changed();
        this.#loadChanged(decision.replica);
        pass.finished(usage);
      },
      withdraw: () => {
        flight.ended();
        witness.ended(false);
        this.#router.withdraw(lease);
        this.#memory.changed();
        this.#loadChanged(decision.replica);
        if (request.key !== null && request.role === 'turn')
          this.sessions.withdrawn(request.key.hash, lease.decision.kind, pass.gaveWay);
      },
      unreachable: () => witness.unreachable(),
      failOver: () => {
        const other = this.#router.failOver(lease, request, this.#view, this.policy);
        if (other === null) return null;
        this.#memory.changed();
        this.#loadChanged(decision.replica);
        this.#loadChanged(other.decision.replica);
        // The home that this request had made moved along, and the other wardens have heard of the first one.
        const { home } = other.decision;
        if (request.key !== null && home !== null && home !== decision.home)
          this.#shared?.moved(request.key, home, false);
        if (request.key !== null && request.role === 'turn')
          this.sessions.movedOn(request.key.hash, decision.kind, other.decision.kind);
        pass.placed(other.decision.replica, false);
        return this.#placement({ lease: other, request, pass }, flight);
      },
    };
  }

  #onEnginesChanged(): void {
    this.#memory.restore();
    this.#retireDrained();
    this.#hearMaxNumSeqs();
    this.#refreshView();
    if (this.#view.replicas.some((replica) => replica.up)) this.#waiters.wake();
  }

  #onReading(process: EngineProcess): void {
    this.#history.record(this.#replicasOf(process), this.#places, this.#router, this.#options.now());
  }

  #forgetProcess(process: EngineProcess): void {
    for (const replica of this.#replicasOf(process)) {
      this.#router.forgetReplica(replica);
      this.admission.forgetReplica(replica);
      this.#history.clear(replica);
    }
    this.#memory.replaced();
  }

  #moveHomes(process: EngineProcess): void {
    for (const replica of this.#replicasOf(process)) {
      this.#router.forgetReplica(replica);
      this.admission.forgetReplica(replica);
    }
    this.#memory.replaced();
  }

  #changeRanks(process: EngineProcess, ranks: number): void {
    const first = this.#places.findIndex((place) => place.process === process);
    const before = this.#places.length;
    process.ranks = ranks;
    // From the first replica whose place moved, an index means another replica than before.
    this.#renumber((replica) => replica >= Math.max(0, first) && replica < before);
    this.#options.log.info({ model: this.name, url: process.url, ranks }, 'ranks discovered');
  }

  /** Engines that were taken out of the configuration leave once nothing runs there. */
  #retireDrained(): void {
    for (const process of this.processes) {
      const replicas = this.#replicasOf(process);
      if (!process.isLeaving || replicas.some((replica) => this.#router.inFlight(replica) > 0)) continue;
      this.#watch.retire(process);
      this.#moveHomes(process);
      // Alone, nobody else has it drained, and another engine may come to its address.
      if (this.#options.fleet == null) for (const replica of replicas) this.#drained.set(replica, false);
      this.#event('replica_left', `${process.url} has left: it is no longer configured`);
      this.#waiters.wake();
    }
  }

  /** The places are others: a number that means another replica than before begins anew. */
  #renumber(isAnother: (replica: number, before: ReplicaPlace) => boolean): void {
    const before = this.#places;
    this.#places = replicaPlaces(this.#watch.slots);
    for (const [replica, place] of before.entries()) {
      if (!isAnother(replica, place)) continue;
      this.#router.forgetReplica(replica);
      this.#router.forgetTally(replica);
      this.admission.replaceReplica(replica);
      this.#history.clear(replica);
    }
    this.#router.resize(this.#places.length);
    this.#memory.replaced();
    this.#drained.renumber(this.#places);
    this.#refreshView();
    this.#hearElsewhere();
  }

  #replicasOf(process: EngineProcess): readonly number[] {
    return this.#places.flatMap((place, replica) => (place.process === process ? [replica] : []));
  }

  #hearMaxNumSeqs(): void {
    const told = this.processes.flatMap((process) => process.facts?.maxNumSeqs ?? []);
    this.#settings.hear(told.length > 0 ? Math.min(...told) : null);
  }

  /** What other wardens told, by the numbers that replicas have here now. */
  #hearElsewhere(): void {
    const told = this.#shared?.toldElsewhere() ?? NOTHING_ELSEWHERE;
    this.admission.hear(told);
    for (const { key } of told.conversations) this.#router.usedElsewhere(key);
    this.#refreshView();
  }

  #refreshView(): void {
    const [now, steadyNow] = [this.#options.now(), this.#options.steadyNow()];
    const shared = this.#shared;
    this.#view = {
      elsewhere: shared?.elsewhere ?? null,
      get agreement() {
        return shared === null || shared.isUp ? null : shared.agreement;
      },
      engineBalances: this.processes.length === 1 && (this.processes[0]?.ranks ?? 1) > 1,
      replicas: this.#places.map(({ process, position }, replica) => {
        const rank = freshReading(process, now)?.ranks[position];
        return {
          up: takesRequests(process, this.processes, steadyNow),
          draining: this.isDraining(replica),
          kvUsage: rank?.kvUsage ?? null,
          running: rank?.running ?? null,
          waiting: rank?.waiting ?? null,
        };
      }),
    };
    this.#open = openReplicas(this.#view);
    this.admission.setCapacities(
      this.#places.map(({ process, position }) => process.reading?.ranks[position]?.kvCapacityTokens ?? null),
    );
  }

  #event(kind: string, detail: string, facts: EventFacts | null = null): void {
    this.#options.store.recordEvent({ at: this.#options.now(), model: this.name, kind, detail, facts });
    this.#options.log.info({ model: this.name, kind }, detail);
  }
}

/** Those that take new work: up and not draining, or, where all that are up drain, these. */
function openReplicas({ replicas }: FleetView): readonly boolean[] {
  const open = replicas.map(({ up, draining }) => up && !draining);
  return open.includes(true) ? open : replicas.map(({ up }) => up);
}

/** Whether a runtime can go on with other engines: it keeps some, and those it keeps are described as before. */
function keepsEngines(before: ModelConfig['replicas'], after: ModelConfig['replicas']): boolean {
  const known = new Map(before.map(({ url, ranks }) => [url, ranks]));
  const kept = after.filter(({ url }) => known.has(url));
  const isAny = kept.length > 0 || before.length === 0;
  return isAny && kept.every(({ url, ranks }) => known.get(url) === ranks);
}

const entryOf = ({ url, configuredRanks }: EngineProcess) => ({ url, ranks: configuredRanks });
