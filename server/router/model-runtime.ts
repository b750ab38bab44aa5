import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import { confine } from '#lib/cache-fit/confine.ts';
import type { ModelConfig } from '#lib/config/schema.ts';
import type { Miss } from '#lib/conversations/miss.ts';
import { mayHaveMissed } from '#lib/conversations/why-missed.ts';
import { createRouter, type MovedHome } from '#lib/routing/router.ts';
import type { FleetView, RoutedRequest } from '#lib/routing/types.ts';
import type { Fleet } from '#server/fleet/fleet.ts';
import type { ModelSetting, Store } from '#server/store/store.ts';
import { AdmissionGate } from './admission-gate.ts';
import type { AdmissionPass } from './admission-pass.ts';
import { ChangesByHand } from './changes-by-hand.ts';
import { ClockedRouter } from './clocked-router.ts';
import type { EngineProcess, ReplicaPlace } from './engine-process.ts';
import { EngineWait } from './engine-wait.ts';
import type { PollerFactory } from './engine-watch.ts';
import { createFleetHost } from './fleet-host.ts';
import { FleetMembership } from './fleet-membership.ts';
import { fleetView, openReplicas } from './fleet-view.ts';
import { type Granting, grantedPlacement } from './granted-placement.ts';
import { HomeMemory } from './home-memory.ts';
import { createInFlightRequests, type InFlightRequests } from './in-flight.ts';
import { createModelClock } from './model-clock.ts';
import { ModelJournal } from './model-journal.ts';
import { ModelSettings } from './model-settings.ts';
import type { Placement } from './placement.ts';
import type { EffectivePolicy } from './policy.ts';
import { createReplicaHistory, type ReplicaHistory } from './replica-history.ts';
import { ReplicaKnowledge } from './replica-knowledge.ts';
import { keepsEngines, type NumberedReplica, Replicas } from './replicas.ts';
import { isSimulated, servedName, sharedContext, sharedMaxNumSeqs, upstreamName } from './served-model.ts';
import { createSessionActivities, type FinishedTurn, type SessionActivities } from './session-activity.ts';

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

/**
 * One model as the router runs it: its replicas, its homes, its policy, its part in the fleet. The decisions are
 * lib/routing's; this holds what they are made from, and gives out places.
 */
export class ModelRuntime {
  readonly sessions: SessionActivities = createSessionActivities();
  readonly inFlight: InFlightRequests = createInFlightRequests();
  readonly admission: AdmissionGate;
  readonly #options: ModelRuntimeOptions;
  readonly #router: ClockedRouter;
  readonly #replicas: Replicas;
  readonly #membership: FleetMembership;
  readonly #history: ReplicaHistory;
  readonly #memory: HomeMemory;
  readonly #settings: ModelSettings;
  readonly #granting: Granting;
  readonly #byHand: ChangesByHand;
  readonly #wait: EngineWait;
  readonly #knowledge: ReplicaKnowledge;
  #config: ModelConfig;
  #open: readonly boolean[] = [];
  #view: FleetView = { replicas: [], engineBalances: false };

  constructor(options: ModelRuntimeOptions) {
    const { config, setting, store, log, now, steadyNow, maxHoldMs, fleet = null } = options;
    const { name } = config;
    const clock = createModelClock(now, steadyNow);
    this.#options = options;
    this.#config = config;
    const journal = new ModelJournal({ model: name, store, log, now });
    const membership = new FleetMembership(fleet, name);
    const replicas = this.#watchedReplicas(journal, membership.isAlone);
    const replicaCount = replicas.places.length;
    // Wardens that start together must not all begin with the same replica.
    const firstScanned = membership.isAlone ? 0 : randomInt(Math.max(1, replicaCount));
    const router = new ClockedRouter(createRouter({ replicaCount, firstScanned }), clock);
    const settings = new ModelSettings({
      config,
      setting,
      store,
      onPolicy: (policy) => this.admission.configure(policy),
      onEvent: ({ kind, detail, facts }) => journal.event(kind, detail, facts),
    });
    const memory = new HomeMemory({ model: name, store, clock, router, places: () => replicas.places });
    const history = createReplicaHistory(store, name);
    const isOpen = (replica: number): boolean => this.#open[replica] ?? false;
    const homeOf = (keyHash: string): number | null => router.home(keyHash)?.replica ?? null;
    const { toWall } = clock;
    const admission = new AdmissionGate({ model: name, isOpen, homeOf, now: steadyNow, toWall, maxHoldMs, log });
    const view = (): FleetView => this.#view;
    const look = (): FleetView => this.#refreshView();
    const onChange = (): void => memory.changed();
    const { sessions, inFlight } = this;
    this.#membership = membership;
    this.#replicas = replicas;
    this.#router = router;
    this.#settings = settings;
    this.#memory = memory;
    this.#history = history;
    this.admission = admission;
    this.#knowledge = new ReplicaKnowledge({ router, admission, history, memory });
    this.#wait = new EngineWait(replicas, view);
    this.#byHand = new ChangesByHand({
      name,
      settings,
      replicas,
      router,
      admission,
      memory,
      membership,
      journal,
      look,
    });
    this.#granting = { router, replicas, membership, sessions, inFlight, view, policy: () => this.policy, onChange };
    admission.configure(settings.policy);
    this.#refreshView();
  }

  #watchedReplicas(journal: ModelJournal, isAlone: boolean): Replicas {
    const { config, createPoller, steadyNow } = this.#options;
    return new Replicas({
      config,
      createPoller,
      steadyNow,
      inFlight: (replica) => this.#router.inFlight(replica),
      isAlone,
      events: {
        onChange: () => this.#onReplicasChanged(),
        onReading: (replicas) => this.#onReading(replicas),
        onRestart: (replicas) => this.#knowledge.restarted(replicas),
        onAway: (replicas) => this.#onAway(replicas),
        onRenumbered: (others) => this.#onRenumbered(others),
        onRanks: (process) => this.#onRanks(process),
        onEvent: (kind, detail, facts) => journal.event(kind, detail, facts),
      },
    });
  }

  get config(): ModelConfig {
    return this.#config;
  }
  get processes(): readonly EngineProcess[] {
    return this.#replicas.processes;
  }
  get name(): string {
    return this.config.name;
  }
  get servedModelName(): string {
    return servedName(this.config, this.processes);
  }
  get aliases(): readonly string[] {
    return this.config.aliases;
  }
  /** The largest context, in tokens, that all of its engines take; null where none has said. */
  get maxModelLen(): number | null {
    return sharedContext(this.processes);
  }
  get simulated(): boolean {
    return isSimulated(this.processes);
  }
  get router(): ClockedRouter {
    return this.#router;
  }
  get places(): readonly ReplicaPlace[] {
    return this.#replicas.places;
  }
  /** The replicas that are there, each with its number: one that has left leaves a gap. */
  get replicas(): readonly NumberedReplica[] {
    return this.#replicas.there;
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
    await this.#replicas.start();
    const host = createFleetHost({
      model: this,
      shared: () => this.#membership.shared,
      take: (shared, by) => this.#byHand.take(shared, by),
      elsewhereChanged: () => this.#hearElsewhere(),
    });
    if (this.#membership.join(host)) this.#refreshView();
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
    this.#replicas.reconfigure(config.replicas);
    this.#settings.reconfigure(config);
    this.#hearMaxNumSeqs();
    return true;
  }

  async close(): Promise<void> {
    this.#membership.leave();
    await this.#replicas.stop();
    this.admission.close();
    this.#wait.close();
    this.#memory.close();
  }

  /** See `upstreamName`. */
  upstreamModel(requested: string): string {
    return upstreamName(requested, this.config, this.processes);
  }

  /** Takes a place for a request; null when no replica is up, or the one that it is pinned to has left. */
  place(request: RoutedRequest, client: string | null, pass: AdmissionPass): Placement | null {
    if (request.pin !== null && this.#replicas.servingFor(request).length === 0) return null;
    if (this.processes.some((process) => process.circuit.isOpen)) this.#refreshView();
    const isResumed = request.key !== null && this.#router.home(request.key.hash) !== null;
    const lease = this.#router.acquire(request, confine(this.#view, pass.replica), this.policy);
    if (lease === null) return null;
    this.#memory.changed();
    this.#membership.loadChanged(lease.decision.replica);
    if (request.key !== null && request.role === 'turn') {
      this.sessions.started(request.key.hash, client, lease.decision.kind, pass.gaveWay);
    }
    const origin = { startedAt: this.#options.now(), client };
    const placement = grantedPlacement(this.#granting, { lease, request, pass }, origin);
    pass.placed(lease.decision.replica, isResumed);
    return placement;
  }

  /** Takes a place by `place` where the conversation lives for all wardens; see `FleetMembership.place`. */
  placeAmong(request: RoutedRequest, place: () => Placement | null): Promise<Placement | null> {
    const { policy } = this;
    return this.#membership.place(request, { router: this.#router, replicas: this.#replicas, policy, place });
  }

  /** Whether other wardens share the homes of this model, so that a place is to be taken with `placeAmong`. */
  get isShared(): boolean {
    return this.#membership.shared !== null;
  }

  /** Tokens that conversations of other wardens, of which admission knows nothing, keep on a replica. */
  workingSetElsewhere(replica: number): number {
    return this.#membership.shared?.tokensElsewhere(replica) ?? 0;
  }

  /** Requests that other wardens have in flight on a replica, as last heard. */
  inFlightElsewhere(replica: number): number {
    return this.#membership.shared?.elsewhere.inFlight(replica) ?? 0;
  }

  /** By replica id: live conversations that this warden was the first of the fleet to place; null where it is alone. */
  livePlacedHere(): Readonly<Record<string, number>> | null {
    return this.#membership.shared?.livePlacedHere() ?? null;
  }

  /** See `EngineWait.whenUp`. */
  whenUp(request: RoutedRequest, patienceMs: number, signal: AbortSignal): Promise<boolean> {
    return this.#wait.whenUp(request, patienceMs, signal);
  }

  /** Requests that wait for an engine to come back. */
  get waitingForEngine(): number {
    return this.#wait.size;
  }

  isDraining(replica: number): boolean {
    return this.#replicas.isDraining(replica);
  }

  /** The names of the replicas that persons drain, those that only other wardens know among them. */
  get drainedNames(): readonly string[] {
    return this.#replicas.drainedNames;
  }

  /** A draining replica takes no new conversations; what runs there ends there. Forgotten when this process ends. */
  setDraining(replica: number, draining: boolean): void {
    this.#byHand.setDraining(replica, draining);
  }

  /** See `ChangesByHand.moveSession`. */
  moveSession(keyHash: string, to: number | 'least_loaded'): MovedHome | 'unfit' | 'none' {
    return this.#byHand.moveSession(keyHash, to);
  }

  /** See `ChangesByHand.forgetSession`. */
  forgetSession(keyHash: string): boolean {
    return this.#byHand.forgetSession(keyHash);
  }

  /** See `ChangesByHand.changeSetting`. */
  changeSetting(change: Partial<ModelSetting>, by: string | null = null): Promise<void> {
    return this.#byHand.changeSetting(change, by);
  }

  /** Tokens that a replica's cache holds, by the engine or by the configuration; null where neither tells. */
  capacityTokens(replica: number | null): number | null {
    const place = replica === null ? undefined : this.places[replica];
    if (place === undefined) return null;
    return place.process.reading?.ranks[place.position]?.kvCapacityTokens ?? this.config.kv_cache_tokens ?? null;
  }

  /** A request that had a place is done. Returns why it missed the cache, where it did and that can be said. */
  turnFinished(request: RoutedRequest, result: TurnResult): Miss | null {
    if (request.key === null || request.role === 'side') return null;
    const place = result.replica === null ? undefined : this.places[result.replica];
    return this.sessions.finished(request.key.hash, {
      ...result,
      restartedAt: place?.process.restartedAt ?? null,
      workingSetTokens: mayHaveMissed(result) ? this.admission.liveTokens(result.replica) : null,
      cacheTokens: this.capacityTokens(result.replica),
      blockTokens: place?.process.reading?.blockSize ?? null,
    });
  }

  #onReplicasChanged(): void {
    this.#memory.restore();
    this.#replicas.retireIdle();
    this.#hearMaxNumSeqs();
    this.#refreshView();
    if (this.#view.replicas.some((replica) => replica.up)) this.#wait.wake();
  }

  #onReading(replicas: readonly number[]): void {
    this.#history.record(replicas, this.places, this.#router, this.#options.now());
  }

  #onAway(replicas: readonly number[]): void {
    this.#knowledge.emptied(replicas);
    // Some may wait for one that has left.
    this.#wait.wake();
  }

  #onRenumbered(others: readonly number[]): void {
    this.#knowledge.renumbered(others, this.places.length);
    this.#refreshView();
    this.#hearElsewhere();
  }

  #onRanks({ url, ranks }: EngineProcess): void {
    this.#options.log.info({ model: this.name, url, ranks }, 'ranks discovered');
  }

  #hearMaxNumSeqs(): void {
    this.#settings.hear(sharedMaxNumSeqs(this.processes));
  }

  #hearElsewhere(): void {
    const told = this.#membership.told();
    this.admission.hear(told);
    for (const { key } of told.conversations) this.#router.usedElsewhere(key);
    this.#refreshView();
  }

  #refreshView(): FleetView {
    const { now, steadyNow } = this.#options;
    this.#view = fleetView(this.#replicas, this.#membership.shared, { now: now(), steadyNow: steadyNow() });
    this.#open = openReplicas(this.#view);
    this.admission.setCapacities(this.places.map((_, replica) => this.capacityTokens(replica)));
    return this.#view;
  }
}
