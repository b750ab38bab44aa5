import type { Router } from '#lib/routing/router.ts';
import type { Store } from '#server/store/store.ts';
import type { ReplicaPlace } from './engine-process.ts';
import { takeMemory, UnseenMemory } from './router-memory.ts';

export type HomeMemoryOptions = {
  readonly model: string;
  readonly store: Store;
  readonly router: Router;
  readonly places: () => readonly ReplicaPlace[];
  readonly now: () => number;
};

/** Homes and counters are saved this often while they change; a crash loses at most this much of them. */
const SAVE_INTERVAL_MS = 500;
/** All of them are saved each time: where they are many, less often. */
const MANY_HOMES = 1_000;
const MANY_HOMES_INTERVAL_MS = 5_000;

/** Saves the homes and counters of one model, and takes them up again after a restart of this process. */
export class HomeMemory {
  readonly #options: HomeMemoryOptions;
  #unseen = new UnseenMemory(null);
  #since: number;
  #hasChanged = false;
  #timer: NodeJS.Timeout | null = null;
  #saved = { homes: 0, at: 0 };

  constructor(options: HomeMemoryOptions) {
    this.#options = options;
    this.#since = options.now();
  }

  /** Since when the counters count, ms since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** Reads what was saved, and saves from now on. */
  async open(): Promise<void> {
    const { store, model } = this.#options;
    this.#unseen = new UnseenMemory(await store.routerMemory(model));
    this.#timer = setInterval(() => this.#saveIfDue(), SAVE_INTERVAL_MS).unref();
  }

  /** To be called when an engine has been polled: what is remembered of it counts from now on. */
  restore(): void {
    if (this.#unseen.isEmpty) return;
    const { router, places, now } = this.#options;
    this.#since = this.#unseen.restore({ router, places: places(), now: now() }) ?? this.#since;
  }

  changed(): void {
    this.#hasChanged = true;
  }

  /** Saves the last changes. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#save();
  }

  #saveIfDue(): void {
    // A clock that was set back must not stop the saving.
    const sinceSaved = Math.abs(this.#options.now() - this.#saved.at);
    if (this.#saved.homes <= MANY_HOMES || sinceSaved >= MANY_HOMES_INTERVAL_MS) this.#save();
  }

  #save(): void {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const { model, store, router, places, now } = this.#options;
    const at = now();
    const memory = takeMemory({ router, since: this.#since, places: places(), unseen: this.#unseen, now: at });
    this.#saved = { homes: memory.homes.length, at };
    store.rememberRouter(model, memory);
  }
}
