import type { Ticket } from './types.ts';

/** The time over which the queue's length is averaged: several stays long, so that waves of conversations even out. */
const AVERAGED_MS = 150_000;

/** Held turns, first come first served. Times in ms. */
export class WaitQueue {
  readonly #tickets: Ticket[] = [];
  #averageLength = 0;
  #averagedAt = 0;

  get length(): number {
    return this.#tickets.length;
  }

  get head(): Ticket | null {
    return this.#tickets[0] ?? null;
  }

  /** 0 for the head; null for a ticket that is not here. */
  position(ticket: Ticket): number | null {
    const index = this.#tickets.indexOf(ticket);
    return index === -1 ? null : index;
  }

  push(ticket: Ticket, now: number): void {
    this.averageLength(now);
    this.#tickets.push(ticket);
    ticket.conversation.held += 1;
  }

  remove(ticket: Ticket, now: number): void {
    const index = this.#tickets.indexOf(ticket);
    if (index === -1) return;
    this.averageLength(now);
    this.#tickets.splice(index, 1);
    ticket.conversation.held -= 1;
  }

  averageLength(now: number): number {
    const kept = Math.exp(-(now - this.#averagedAt) / AVERAGED_MS);
    this.#averageLength = this.#averageLength * kept + this.#tickets.length * (1 - kept);
    this.#averagedAt = now;
    return this.#averageLength;
  }
}
