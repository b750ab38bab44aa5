import type { Conversation } from './conversation.ts';
import type { Ticket } from './types.ts';

/** The time over which the line's length is averaged: several stays long, so that waves of conversations even out. */
const AVERAGED_MS = 150_000;

/** A turn that another router holds; its conversation is null where that is not told. */
export type HeldElsewhere = { readonly askedAt: number; readonly conversation: Conversation | null };

/** Turns held here, first come first served, in one line with those that other routers hold. Times in ms. */
export class WaitQueue {
  readonly #tickets: Ticket[] = [];
  /** Those held elsewhere, oldest first. */
  #elsewhere: readonly HeldElsewhere[] = [];
  #averageLength = 0;
  #averagedAt = 0;

  /** Turns held here. */
  get length(): number {
    return this.#tickets.length;
  }

  /** Nobody is held, here or elsewhere. */
  get isLineEmpty(): boolean {
    return this.#tickets.length === 0 && this.#elsewhere.length === 0;
  }

  /** The first of those held here. */
  get head(): Ticket | null {
    return this.#tickets[0] ?? null;
  }

  /** When the one who waits longest came, held here or elsewhere. */
  get lineAskedAt(): number | null {
    return this.leaderElsewhere?.askedAt ?? this.head?.askedAt ?? null;
  }

  /** The one who waits longest, where that is one held elsewhere. */
  get leaderElsewhere(): HeldElsewhere | null {
    const [first] = this.#elsewhere;
    return first !== undefined && first.askedAt < (this.head?.askedAt ?? Number.POSITIVE_INFINITY) ? first : null;
  }

  hear(held: readonly HeldElsewhere[], now: number): void {
    this.averageLength(now);
    this.#elsewhere = held.toSorted((a, b) => a.askedAt - b.askedAt);
  }

  /** How long a turn of a conversation has been held here, in ms; null where none is. */
  waitOf(conversation: Conversation, now: number): number | null {
    if (conversation.held === 0) return null;
    const ticket = this.#tickets.find((one) => one.conversation === conversation);
    return ticket === undefined ? null : now - ticket.askedAt;
  }

  /** Of those held here, 0 for the head; null for a ticket that is not here. */
  index(ticket: Ticket): number | null {
    const index = this.#tickets.indexOf(ticket);
    return index === -1 ? null : index;
  }

  /** In the whole line, 0 for its head; null for a ticket that is not here. */
  position(ticket: Ticket): number | null {
    const index = this.index(ticket);
    return index === null ? null : index + this.#elsewhere.filter(({ askedAt }) => askedAt < ticket.askedAt).length;
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

  /** Of the whole line. */
  averageLength(now: number): number {
    const kept = Math.exp(-(now - this.#averagedAt) / AVERAGED_MS);
    const length = this.#tickets.length + this.#elsewhere.length;
    this.#averageLength = this.#averageLength * kept + length * (1 - kept);
    this.#averagedAt = now;
    return this.#averageLength;
  }
}
