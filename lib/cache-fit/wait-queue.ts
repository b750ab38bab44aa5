import type { Conversation } from './conversation.ts';
import type { Ticket } from './types.ts';

/** The time over which the line's length is averaged: several stays long, so that waves of conversations even out. */
const AVERAGED_MS = 150_000;

/** Places that may be due at once, or taken before they were: neither is made up for in a crowd. */
const MOST_DUE = 2;
const LEAST_DUE = -1;

/** A turn that another router holds; its conversation is null where that is not told. */
export type HeldElsewhere = { readonly askedAt: number; readonly conversation: Conversation | null };

/** Turns held here, first come first served, in one line with those that other routers hold. Times in ms. */
export class WaitQueue {
  readonly #tickets: Ticket[] = [];
  /** Those held elsewhere, oldest first. */
  #elsewhere: readonly HeldElsewhere[] = [];
  readonly #passedOver = new Set<Conversation>();
  #averageLength = 0;
  #averagedAt = 0;
  /** Places that are to be given up now, in part, and as of when. */
  #placesDue = 0;
  #dueAt = 0;
  #everyMs = Number.POSITIVE_INFINITY;

  /** Turns held here. */
  get length(): number {
    return this.#tickets.length;
  }

  /** Nobody is held, here or elsewhere. */
  get isLineEmpty(): boolean {
    return this.lineLength === 0;
  }

  /** The first of those held here. */
  get head(): Ticket | null {
    return this.#tickets[0] ?? null;
  }

  /** The one who waits longest, where that is one held elsewhere, and not one that was passed over. */
  get leaderElsewhere(): HeldElsewhere | null {
    const first = this.#elsewhere.find(
      ({ conversation }) => conversation === null || !this.#passedOver.has(conversation),
    );
    return first !== undefined && first.askedAt < (this.head?.askedAt ?? Number.POSITIVE_INFINITY) ? first : null;
  }

  /** One held elsewhere did not take the room that was left to it: it leads no more, for as long as it is held. */
  passOver(conversation: Conversation): void {
    this.#passedOver.add(conversation);
  }

  hear(held: readonly HeldElsewhere[], now: number): void {
    this.averageLength(now);
    const sorted = held.toSorted((a, b) => a.askedAt - b.askedAt);
    if (this.isLineEmpty) this.#beginLine(sorted[0]?.askedAt ?? now);
    const still = new Set(held.map(({ conversation }) => conversation));
    for (const { conversation } of this.#elsewhere) if (!still.has(conversation)) this.#placeTaken(now);
    this.#elsewhere = sorted;
    for (const one of this.#passedOver) if (!still.has(one)) this.#passedOver.delete(one);
  }

  /** How long the first `most` turns have been held here, in ms, by conversation; of several of one the longest. */
  waits(now: number, most: number): ReadonlyMap<Conversation, number> {
    const waits = new Map<Conversation, number>();
    for (const { conversation, askedAt } of this.#tickets.slice(0, most)) {
      if (!waits.has(conversation)) waits.set(conversation, now - askedAt);
    }
    return waits;
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
    if (this.isLineEmpty) this.#beginLine(now);
    this.#tickets.push(ticket);
    ticket.conversation.held += 1;
  }

  remove(ticket: Ticket, now: number): void {
    const index = this.#tickets.indexOf(ticket);
    if (index === -1) return;
    this.averageLength(now);
    this.#tickets.splice(index, 1);
    ticket.conversation.held -= 1;
    this.#placeTaken(now);
  }

  /** True where, at one place in `everyMs`, another is to be given up now. */
  isPlaceDue(everyMs: number, now: number): boolean {
    this.#everyMs = everyMs;
    this.#passTime(now);
    return this.#placesDue >= 1;
  }

  #passTime(now: number): void {
    const passed = this.#everyMs > 0 ? (now - this.#dueAt) / this.#everyMs : MOST_DUE;
    this.#placesDue = Math.min(MOST_DUE, this.#placesDue + passed);
    this.#dueAt = now;
  }

  #beginLine(since: number): void {
    this.#placesDue = 0;
    this.#dueAt = since;
  }

  #placeTaken(now: number): void {
    this.#passTime(now);
    this.#placesDue = Math.max(LEAST_DUE, this.#placesDue - 1);
  }

  /** Turns held anywhere. */
  get lineLength(): number {
    return this.#tickets.length + this.#elsewhere.length;
  }

  /** Of the whole line. */
  averageLength(now: number): number {
    const kept = Math.exp(-(now - this.#averagedAt) / AVERAGED_MS);
    this.#averageLength = this.#averageLength * kept + this.lineLength * (1 - kept);
    this.#averagedAt = now;
    return this.#averageLength;
  }
}
