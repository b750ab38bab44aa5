import type { Store } from '#server/store/store.ts';
import type { ClockedRouter } from './clocked-router.ts';
import type { ReplicaPlace } from './engine-process.ts';
import { createMemorySaver, type MemorySaver } from './memory-saver.ts';
import type { ModelClock } from './model-clock.ts';
import { takeMemory, UnseenMemory } from './router-memory.ts';

export type HomeMemoryOptions = {
  readonly model: string;
  readonly store: Store;
  readonly router: ClockedRouter;
  readonly places: () => readonly ReplicaPlace[];
  readonly clock: ModelClock;
};

/** Saves the homes and counters of one model, and takes them up again after a restart of this process. */
export class HomeMemory {
  readonly #options: HomeMemoryOptions;
  #unseen = new UnseenMemory(null);
  #since: number;
  readonly #saver: MemorySaver;

  constructor(options: HomeMemoryOptions) {
    const { store, model, router, places, clock } = options;
    // The homes' times are on it.
    const now = (): number => clock.toWall(clock.steadyNow());
    this.#options = options;
    this.#saver = createMemorySaver({
      take: (usedSince) => {
        const from = { router, since: this.#since, places: places(), unseen: this.#unseen, now: now() };
        return takeMemory(from, usedSince);
      },
      save: (memory) => store.rememberRouter(model, memory),
      now,
    });
    this.#since = clock.now();
  }

  /** Since when the counters count, ms since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** Reads what was saved, and saves from now on. */
  async open(): Promise<void> {
    const { store, model } = this.#options;
    this.#unseen = new UnseenMemory(await store.routerMemory(model));
    this.#saver.start();
  }

  /** To be called when an engine has been polled: what is remembered of it counts from now on. */
  restore(): void {
    if (this.#unseen.isEmpty) return;
    const { router, places } = this.#options;
    this.#since = this.#unseen.restore({ router, places: places() }) ?? this.#since;
    // Those of an engine that is another run are gone: the saved ones must not outlive it under its new mark.
    this.#saver.replaced();
  }

  /** A home was made or used, or a counter counted. */
  changed(): void {
    this.#saver.changed();
  }

  /** Homes were moved or forgotten in another way than by a request. */
  replaced(): void {
    this.#saver.replaced();
  }

  /** Saves the last changes. */
  close(): void {
    this.#saver.stop();
  }
}
