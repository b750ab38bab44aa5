import type { FleetView, RoutedRequest } from '#lib/routing/types.ts';
import type { Replicas } from './replicas.ts';
import { createUpWaiters } from './up-waiters.ts';

/** The requests of one model that wait for an engine to come back. */
export class EngineWait {
  readonly #waiters = createUpWaiters();
  readonly #replicas: Replicas;
  readonly #view: () => FleetView;
  #isClosed = false;

  constructor(replicas: Replicas, view: () => FleetView) {
    this.#replicas = replicas;
    this.#view = view;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Waits for an engine that was up a moment ago: one that restarts takes one to three minutes. Resolves true when a
   * replica takes this request, false when none does in time or the client has left. A request that its client pinned
   * waits for that replica alone. One that never was up is not waited for, nor one that has left.
   */
  whenUp(request: RoutedRequest, patienceMs: number, signal: AbortSignal): Promise<boolean> {
    return this.#waiters.wait(() => this.#isBackFor(request), patienceMs, signal);
  }

  /** A replica is up, or has left: those that it concerns go on. */
  wake(): void {
    this.#waiters.wake();
  }

  /** Nobody is to wait here any more. */
  close(): void {
    this.#isClosed = true;
    this.#waiters.wake();
  }

  #isBackFor(request: RoutedRequest): boolean | null {
    const replicas = this.#replicas.servingFor(request);
    if (this.#isClosed || replicas.every(([, { process }]) => process.lastUpAt === null)) return false;
    return replicas.some(([replica]) => this.#view().replicas[replica]?.up) || null;
  }
}
