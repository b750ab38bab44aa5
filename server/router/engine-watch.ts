import type { ModelConfig } from '#lib/config/schema.ts';
import type { Poll, Poller } from '#server/engines/poller.ts';
import type { EventFacts } from '#server/store/store.ts';
import { type EngineProcess, newEngineProcess } from './engine-process.ts';

export type PollerFactory = (
  url: string,
  apiKey: string | null,
  events: { readonly onPoll: (poll: Poll) => void; readonly onFailure: (error: Error) => void },
) => Poller;

/** What the watch tells of a model's engine processes. */
export type EngineWatchEvents = {
  /** What decisions are made from may have changed. */
  onChange(): void;
  onReading(process: EngineProcess): void;
  /** Its caches are cold: it is another run of the engine than before. */
  onRestart(process: EngineProcess): void;
  /** It was found to have another number of ranks; `process.ranks` is the new one when this returns. */
  onRanks(process: EngineProcess, ranks: number): void;
  /** Down so long that its conversations' caches are elsewhere by now. */
  onLongDown(process: EngineProcess): void;
  onEvent(kind: string, detail: string, facts: EventFacts): void;
};

export type EngineWatchOptions = {
  readonly config: ModelConfig;
  readonly createPoller: PollerFactory;
  readonly events: EngineWatchEvents;
  /** A clock that never jumps, in ms. */
  readonly now: () => number;
};

/** What a request tells of the process it went to. */
export type ProcessWitness = {
  answered(): void;
  /** True: the process does so again and again and is to be left alone. */
  broke(message: string): boolean;
  ended(complete: boolean): void;
  unreachable(): void;
};

const FAILED_POLLS_UNTIL_DOWN = 3;
/** Down for this long, a conversation's cache is with its stand-in rather than at home. */
const LONG_DOWN_MS = 60_000;
const NOBODY_ANSWERS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Watches the engine processes of one model: by polls, and by what requests to them meet. */
export class EngineWatch {
  /** All places for processes, those that have left among them. */
  #slots: readonly EngineProcess[];
  #processes: readonly EngineProcess[];
  readonly #options: EngineWatchOptions;
  readonly #pollers = new Map<EngineProcess, Poller>();

  constructor(options: EngineWatchOptions) {
    this.#options = options;
    this.#slots = options.config.replicas.map((replica) => newEngineProcess(replica.url, replica.ranks));
    this.#processes = this.#slots;
  }

  get slots(): readonly EngineProcess[] {
    return this.#slots;
  }

  get processes(): readonly EngineProcess[] {
    return this.#processes;
  }

  /**
   * Takes up another list of engines. Those that stay go on as they are; those that appear come behind them, or into the
   * place of one that has left; those that are missing leave.
   */
  setReplicas(replicas: ModelConfig['replicas']): void {
    const wanted = new Map(replicas.map((replica) => [replica.url, replica]));
    for (const process of this.processes) process.isLeaving = !wanted.has(process.url);
    const known = new Set(this.processes.map((process) => process.url));
    for (const { url, ranks } of replicas) {
      if (known.has(url)) continue;
      const process = newEngineProcess(url, ranks);
      const free = this.#slots.findIndex((slot) => slot.isGone && slot.ranks === process.ranks);
      this.#slots = free < 0 ? [...this.#slots, process] : this.#slots.with(free, process);
      void this.#startPolling(process);
    }
    this.#processes = this.#slots.filter((process) => !process.isGone);
  }

  /** Lets go of a process that leaves and has nothing more to do. */
  retire(process: EngineProcess): void {
    process.isGone = true;
    process.up = false;
    this.#processes = this.#slots.filter((slot) => !slot.isGone);
    const poller = this.#pollers.get(process);
    this.#pollers.delete(process);
    // It stops between two polls; nobody waits for that.
    void poller?.stop();
  }

  /** Polls every process; resolves after the first polls, reachable or not. */
  async start(): Promise<void> {
    await Promise.all(this.processes.map((process) => this.#startPolling(process)));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pollers.values()].map((poller) => poller.stop()));
  }

  /** For one request to the process, from the moment it is sent there. */
  witness(process: EngineProcess): ProcessWitness {
    const watched = process.circuit.watch();
    return {
      answered: () => this.#onCircuit(process, () => watched.answered()),
      broke: (message) => {
        // Behind a single URL there is nowhere else to go, so nothing is gained by leaving it alone.
        if (this.processes.length === 1) return false;
        this.#onCircuit(process, () => watched.broke(this.#options.now()), message);
        return process.circuit.isOpen;
      },
      ended: (complete) => this.#onCircuit(process, () => watched.ended(complete)),
      unreachable: () => {
        watched.ended(false);
        this.#noteUnreachable(process);
      },
    };
  }

  #startPolling(process: EngineProcess): Promise<void> {
    const { createPoller, config } = this.#options;
    return new Promise((firstPollDone) => {
      const poller = createPoller(process.url, config.api_key ?? null, {
        onPoll: (poll) => {
          this.#onPoll(process, poll);
          firstPollDone();
        },
        onFailure: (error) => {
          this.#onPollFailure(process, error);
          firstPollDone();
        },
      });
      this.#pollers.set(process, poller);
    });
  }

  #onPoll(process: EngineProcess, poll: Poll): void {
    const { events } = this.#options;
    process.failedPolls = 0;
    process.facts = poll.facts;
    process.reading = poll.reading;
    if (poll.restarted) this.#onRestart(process, poll.reading.takenAt);
    if (!process.circuit.isOpen) {
      process.error = poll.healthy ? null : 'the engine answers, but is not well (GET /health, or it is asleep)';
      if (process.up !== poll.healthy) this.#setUp(process, poll.healthy);
    }
    this.#noteLongDown(process);
    const ranks = this.#ranksSeen(process, poll);
    if (ranks !== process.ranks) events.onRanks(process, ranks);
    events.onChange();
    events.onReading(process);
  }

  /** One poor reading must not shrink the fleet and forget homes: fewer ranks count only from a restarted engine. */
  #ranksSeen(process: EngineProcess, { reading, restarted }: Poll): number {
    if (process.configuredRanks !== 'auto') return process.configuredRanks;
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
    this.#noteLongDown(process);
    this.#options.events.onChange();
  }

  /** Does what may open or close a circuit, and puts the process down or up with it. */
  #onCircuit(process: EngineProcess, act: () => void, message = ''): void {
    const { isOpen } = process.circuit;
    act();
    if (process.circuit.isOpen === isOpen) return;
    if (!isOpen) process.error = `its requests break off one after the other: ${message}`;
    // Where its polls fail as well, the next one that does not puts it up.
    if (process.up === !isOpen && (!isOpen || process.failedPolls === 0)) this.#setUp(process, isOpen);
    this.#options.events.onChange();
  }

  /** A short outage moves no conversation: it goes on with a stand-in and comes home. A long one does. */
  #noteLongDown(process: EngineProcess): void {
    const { now, events } = this.#options;
    if (process.downSince === null || now() - process.downSince < LONG_DOWN_MS) return;
    process.downSince = null;
    if (this.processes.length > 1) events.onLongDown(process);
  }

  /** The data path met a dead address: out of the choice at once; the poll that is asked for now tells the truth. */
  #noteUnreachable(process: EngineProcess): void {
    process.error = `no connection to ${process.url}`;
    if (process.up) this.#setUp(process, false);
    this.#options.events.onChange();
    this.#pollers.get(process)?.pollNow();
  }

  #onRestart(process: EngineProcess, at: number): void {
    process.restartedAt = at;
    process.circuit.reset();
    this.#options.events.onRestart(process);
    this.#options.events.onEvent(
      'engine_restarted',
      `${process.url} restarted: its caches are cold, conversations are placed anew`,
      { url: process.url },
    );
  }

  #setUp(process: EngineProcess, up: boolean): void {
    const { now, events } = this.#options;
    process.up = up;
    process.downSince = up ? null : now();
    if (up) process.lastUpAt = now();
    const { url, error } = process;
    if (up) events.onEvent('engine_up', `${url} is up`, { url });
    else events.onEvent('engine_down', `${url}: ${error}`, { url, error: error ?? '' });
  }
}

function isUnreachable(error: Error): boolean {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && NOBODY_ANSWERS.has(cause.code);
}
