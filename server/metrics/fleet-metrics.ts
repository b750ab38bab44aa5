import { Counter, Gauge, type Registry } from 'prom-client';
import type { RankReading } from '#lib/engine/types.ts';
import { freshReading, replicaId } from '#server/router/engine-process.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';

/** Reads what is true at this moment of models and replicas; nothing is kept up to date between two scrapes. */
export type FleetMetrics = { refresh(models: readonly ModelRuntime[], now: number): void };

type Instruments = ReturnType<typeof createInstruments>;

export function createFleetMetrics(register: Registry): FleetMetrics {
  const instruments = createInstruments(register);
  return {
    refresh(models, now) {
      for (const metric of Object.values<Gauge | Counter>(instruments)) metric.reset();
      for (const model of models) {
        setModel(instruments, model);
        setReplicas(instruments, model, now);
        setAdmission(instruments, model);
      }
    },
  };
}

function createInstruments(register: Registry) {
  const registers = [register];
  const ofModel = (name: string, help: string): Gauge => new Gauge({ name, help, labelNames: ['model'], registers });
  const labelNames = ['model', 'replica'];
  const ofReplica = (name: string, help: string): Gauge => new Gauge({ name, help, labelNames, registers });
  const passedOn = (name: string, help: string): Counter => new Counter({ name, help, labelNames, registers });
  return {
    affinity: ofModel('warden_affinity_enabled', '1 where affinity is on.'),
    threshold: ofModel('warden_spill_threshold', 'Requests in flight at which a replica spills.'),
    cacheFit: ofModel('warden_cache_fit_enabled', '1 where cache-fit admission holds turns back.'),
    held: ofModel('warden_held_requests', 'Turns that cache-fit admission holds now; absent where it is off.'),
    heldTotal: new Counter({
      name: 'warden_held_requests_total',
      help: 'Turns that cache-fit admission has held since the start; absent where it is off.',
      labelNames: ['model'],
      registers,
    }),
    away: ofModel('warden_requests_waiting_for_engine', 'Requests that wait for an engine to come back.'),
    inFlightTotal: ofModel(
      'warden_model_in_flight_requests',
      'Requests sent and not finished, unrouted ones included.',
    ),
    info: new Gauge({
      name: 'warden_replica_info',
      help: 'What a replica number stands for; `rank` is empty where the URL is one replica.',
      labelNames: ['model', 'replica', 'url', 'rank', 'engine_version'],
      registers,
    }),
    up: ofReplica('warden_replica_up', '1 where requests may go there.'),
    draining: ofReplica('warden_replica_draining', '1 where it takes no new conversations.'),
    inFlight: ofReplica('warden_in_flight_requests', 'Requests sent there and not finished, by our own count.'),
    sessions: ofReplica('warden_live_sessions', 'Conversations at home there that were used in the last 5 minutes.'),
    placed: ofReplica(
      'warden_live_sessions_placed_here',
      'Of the live sessions those that this warden was the first of the fleet to place; absent where it is alone.',
    ),
    homes: ofReplica('warden_homes', 'Conversations that have their home there.'),
    workingSet: ofReplica('warden_working_set_tokens', 'Tokens of the conversations whose place is kept there.'),
    alive: ofReplica(
      'warden_conversation_tokens',
      'Tokens of all conversations that live there, to hold against its cache.',
    ),
    running: ofReplica('warden_engine_requests_running', "The engine's own gauge at its last reading."),
    waiting: ofReplica('warden_engine_requests_waiting', "The engine's own gauge at its last reading."),
    kvUsage: ofReplica('warden_engine_kv_cache_usage_ratio', 'Share of KV blocks in use by running requests, 0 to 1.'),
    kvCapacity: ofReplica('warden_engine_kv_capacity_tokens', 'Size of the KV cache in tokens.'),
    readingAge: ofReplica('warden_engine_reading_age_seconds', 'Age of the reading that the engine values come from.'),
    restarted: ofReplica('warden_engine_restart_timestamp_seconds', 'When the engine was last seen to have restarted.'),
    cached: passedOn('warden_engine_prompt_tokens_cached_total', "Prompt tokens from the cache, the engine's counter."),
    computed: passedOn('warden_engine_prompt_tokens_computed_total', "Prompt tokens computed, the engine's counter."),
    generated: passedOn('warden_engine_generation_tokens_total', "Tokens generated, the engine's counter."),
    preemptions: passedOn('warden_engine_preemptions_total', "Running requests set back, the engine's counter."),
  };
}

function setModel(instruments: Instruments, model: ModelRuntime): void {
  const labels = { model: model.name };
  instruments.affinity.set(labels, model.policy.affinity ? 1 : 0);
  instruments.threshold.set(labels, model.policy.spillThreshold);
  instruments.away.set(labels, model.waitingForEngine);
  instruments.inFlightTotal.set(labels, model.router.inFlightTotal());
  for (const [replica] of model.replicas) {
    instruments.homes.set({ ...labels, replica: String(replica) }, 0);
  }
  for (const home of model.router.homes()) instruments.homes.inc({ ...labels, replica: String(home.replica) });
}

/** Where affinity is off, conversations live nowhere and nothing is held. */
function setAdmission(instruments: Instruments, { name, admission, replicas }: ModelRuntime): void {
  const { cacheFit, held, heldTotal, workingSet, alive } = instruments;
  cacheFit.set({ model: name }, admission.mode === 'holding' ? 1 : 0);
  if (admission.mode === 'inactive') return;
  const view = admission.view();
  if (admission.mode === 'holding') {
    held.set({ model: name }, view.held);
    heldTotal.inc({ model: name }, view.heldTotal);
  }
  for (const [replica] of replicas) {
    const labels = { model: name, replica: String(replica) };
    const workingSetTokens = view.replicas[replica]?.workingSetTokens ?? 0;
    workingSet.set(labels, Math.round(workingSetTokens));
    alive.set(labels, Math.round(view.live.replicas[replica]?.tokens ?? 0));
  }
}

function setReplicas(instruments: Instruments, model: ModelRuntime, now: number): void {
  const placedHere = model.livePlacedHere();
  for (const [index, place] of model.replicas) {
    const { process, position, rank } = place;
    const labels = { model: model.name, replica: String(index) };
    if (placedHere !== null) instruments.placed.set(labels, placedHere[replicaId(place)] ?? 0);
    instruments.up.set(labels, process.up ? 1 : 0);
    instruments.draining.set(labels, model.isDraining(index) ? 1 : 0);
    instruments.inFlight.set(labels, model.router.inFlight(index));
    instruments.sessions.set(labels, model.router.liveSessions(index));
    instruments.info.set(
      { ...labels, url: process.url, rank: String(rank ?? ''), engine_version: process.facts?.version ?? '' },
      1,
    );
    if (process.restartedAt !== null) instruments.restarted.set(labels, process.restartedAt / 1000);
    if (process.reading !== null) instruments.readingAge.set(labels, (now - process.reading.takenAt) / 1000);
    const reading = freshReading(process, now)?.ranks[position];
    if (reading !== undefined) setReading(instruments, labels, reading);
  }
}

/** What the engine does not report has no series: it is unknown, not 0. */
function setReading(instruments: Instruments, labels: Record<string, string>, rank: RankReading): void {
  const { running, waiting, kvUsage, kvCapacity, cached, computed, generated, preemptions } = instruments;
  const gauges: readonly (readonly [Gauge, number | null])[] = [
    [running, rank.running],
    [waiting, rank.waiting],
    [kvUsage, rank.kvUsage],
    [kvCapacity, rank.kvCapacityTokens],
  ];
  const counters: readonly (readonly [Counter, number | null])[] = [
    [cached, rank.cachedTokens],
    [computed, rank.computedTokens],
    [generated, rank.generationTokens],
    [preemptions, rank.preemptions],
  ];
  for (const [gauge, value] of gauges) if (value !== null) gauge.set(labels, value);
  for (const [counter, value] of counters) if (value !== null) counter.inc(labels, value);
}
