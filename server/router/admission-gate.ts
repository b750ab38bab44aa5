import type { Logger } from 'pino';
import { type Admission, type AdmissionOptions, createAdmission } from '#lib/cache-fit/admission.ts';
import type { AdmissionView } from '#lib/cache-fit/admission-view.ts';
import {
  type AdmissionSettings,
  DEFAULT_ADMISSION,
  type Elsewhere,
  type OpenReplicas,
  type Ticket,
  type ToldConversation,
} from '#lib/cache-fit/types.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import { type AdmissionMode, modeOf, settingsOf } from './admission-mode.ts';
import { type AdmissionPass, freePass, ticketPass } from './admission-pass.ts';
import { createPauseKinds } from './pause-kinds.ts';
import type { EffectivePolicy } from './policy.ts';

export type AdmissionGateOptions = {
  readonly model: string;
  readonly isOpen: OpenReplicas;
  /** The replica that a conversation lives on by the router's own memory; null where it has none. */
  readonly homeOf: (keyHash: string) => number | null;
  readonly maxHoldMs: () => number;
  /** A clock that never jumps, in ms. */
  readonly now: () => number;
  /** What the wall clock showed at a time of that one. */
  readonly toWall: (time: number) => number;
  readonly log: Logger;
  readonly create?: (options: AdmissionOptions) => Admission;
};

/** A turn at the gate. `heldMs`: how long it has been held before, where it comes again because no engine was up. */
export type EnteringTurn = {
  readonly request: RoutedRequest;
  readonly client: string | null;
  readonly heldMs: number;
  /** Aborts when its client leaves. */
  readonly signal: AbortSignal;
};

/** A turn that is held. Wait and position as `Admission.place` tells them; `heldMs` without earlier holds. */
export type HeldTurn = {
  readonly keyHash: string;
  readonly source: string;
  readonly client: string | null;
  readonly since: number;
  readonly position: number;
  readonly expectedWaitMs: number | null;
};

type Held = { readonly turn: EnteringTurn; readonly since: number; go(pass: AdmissionPass | null): void };

const NEVER_HELD = freePass(0);
const NOT_ON = freePass(null);
/** All conversations are looked at for it, so not with every turn. */
const LIVE_MS = 1000;
const LOG_EVERY_MS = 10_000;
/** Conversations moved by hand whose next turn is waited for; it may come to another warden, or never. */
const MOST_MOVED = 1000;

/**
 * Cache-fit admission of one model, in front of its router: lib/cache-fit decides, this waits. It must never cost a
 * request: should it fail, all that is held goes on by the router's own rules, and admission begins anew.
 */
export class AdmissionGate {
  readonly #options: AdmissionGateOptions;
  readonly #held = new Map<Ticket, Held>();
  readonly #kinds = createPauseKinds();
  readonly #movedByHand = new Set<string>();
  #admission: Admission;
  #capacities: readonly (number | null)[] = [];
  #settings: AdmissionSettings = DEFAULT_ADMISSION;
  #mode: AdmissionMode = 'inactive';
  #policy: EffectivePolicy | null = null;
  #isClosed = false;
  #left = 0;
  #timer: NodeJS.Timeout | null = null;
  #live: { readonly at: number; readonly tokens: readonly number[] } = { at: Number.NEGATIVE_INFINITY, tokens: [] };
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AdmissionGateOptions) {
    this.#options = options;
    this.#admission = this.#newAdmission();
  }

  get mode(): AdmissionMode {
    return this.#mode;
  }

  /** Clients that left while their turn was held, since the start. */
  get leftTotal(): number {
    return this.#left;
  }

  get maxHoldMs(): number {
    return this.#settings.maxHoldMs;
  }

  view(): AdmissionView {
    const look = (): AdmissionView => this.#admission.view(this.#options.now());
    // One that fails is replaced, and a new one has nothing to fail with.
    return this.#guarded(look) ?? look();
  }

  /** What all conversations that live on a replica need, as of a second ago at most; null where it is not measured. */
  liveTokens(replica: number | null): number | null {
    if (replica === null || this.#mode === 'inactive') return null;
    const now = this.#options.now();
    if (now < this.#live.at || now - this.#live.at > LIVE_MS) {
      this.#live = { at: now, tokens: this.view().live.replicas.map(({ tokens }) => Math.round(tokens)) };
    }
    return this.#live.tokens[replica] ?? null;
  }

  /** In the order of the queue. */
  heldTurns(): readonly HeldTurn[] {
    const now = this.#options.now();
    return [...this.#held].map(([ticket, { turn, since }], index) => {
      const place = this.#guarded(() => this.#admission.place(ticket, now));
      return {
        keyHash: turn.request.key?.hash ?? '',
        source: turn.request.key?.source ?? '',
        client: turn.client,
        since: this.#options.toWall(since),
        position: place?.position ?? index,
        expectedWaitMs: place?.expectedWaitMs ?? null,
      };
    });
  }

  /** How long each turn that is held here has waited, in ms, longest first. */
  waitsMs(): readonly number[] {
    const now = this.#options.now();
    return [...this.#held.values()].map(({ since }) => Math.max(0, now - since));
  }

  /** The conversations that changed here a moment ago. */
  tell(): readonly ToldConversation[] {
    return this.#guarded(() => this.#admission.tell(this.#options.now())) ?? [];
  }

  /** Other wardens have told of themselves. To be followed by `setCapacities`, which sends what may go. */
  hear(elsewhere: Elsewhere): void {
    this.#guarded(() => this.#admission.hear(elsewhere, this.#options.now()));
  }

  /** Takes up a changed setting: with the next turn, and for those that are held. */
  configure(policy: EffectivePolicy): void {
    this.#policy = policy;
    const mode = modeOf(policy);
    this.#mode = this.#isClosed && mode === 'holding' ? 'watching' : mode;
    this.#settings = settingsOf(this.#mode, policy.yieldAfterMs, this.#options.maxHoldMs());
    this.#guarded(() => this.#admission.configure(this.#settings));
    if (this.#mode === 'holding') this.advance();
    else this.#letAllGo();
  }

  /** For each replica the tokens that its cache holds; null where the engine does not report it. */
  setCapacities(tokens: readonly (number | null)[]): void {
    this.#capacities = tokens;
    this.#guarded(() => {
      this.#admission.resize(tokens.length, this.#options.now());
      for (const [replica, capacity] of tokens.entries()) this.#admission.setCapacity(replica, capacity);
    });
    this.advance();
  }

  forgetReplica(replica: number): void {
    this.#guarded(() => this.#admission.forgetReplica(replica, this.#options.now()));
    this.advance();
  }

  /** The number means another replica from now on. */
  replaceReplica(replica: number): void {
    this.#guarded(() => this.#admission.replaceReplica(replica, this.#options.now()));
    this.advance();
  }

  /** A person chose another replica for a conversation: with its next turn that choice stands over its place. */
  movedByHand(keyHash: string): void {
    this.#movedByHand.add(keyHash);
    for (const oldest of this.#movedByHand) {
      if (this.#movedByHand.size <= MOST_MOVED) break;
      this.#movedByHand.delete(oldest);
    }
  }

  /** Gives the turn its pass, at once or when there is room; null where its client has left meanwhile. */
  enter(turn: EnteringTurn): AdmissionPass | Promise<AdmissionPass | null> {
    const { request, client } = turn;
    const free = this.#mode === 'holding' ? NEVER_HELD : NOT_ON;
    if (this.#mode === 'inactive' || request.key === null || !isWeighed(request)) return free;
    const { hash: key, source } = request.key;
    const { bodyBytes } = request;
    const asked = { key, kind: this.#kinds.of(client, source), bodyBytes, home: this.#options.homeOf(key) };
    const now = this.#options.now();
    const ticket = this.#guarded(() => this.#admission.request(asked, this.#options.isOpen, now));
    if (ticket === null) return free;
    if (ticket.state === 'held') return this.#hold(ticket, turn, now);
    return this.#pass(ticket, 0);
  }

  /** Sends what may go now. To be called whenever what admission looks at has changed. */
  readonly advance = (): void => {
    if (this.#held.size === 0) return;
    const now = this.#options.now();
    const released = this.#guarded(() => this.#admission.advance(this.#options.isOpen, now));
    for (const ticket of released ?? []) this.#release(ticket);
    const next = this.#held.size === 0 ? null : this.#guarded(() => this.#admission.nextWakeAt(now));
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = next === null ? null : setTimeout(this.advance, Math.max(0, next - now)).unref();
  };

  /** Lets all that is held go, and holds nothing more. */
  close(): void {
    this.#isClosed = true;
    if (this.#policy !== null) this.configure(this.#policy);
  }

  #hold(ticket: Ticket, turn: EnteringTurn, since: number): Promise<AdmissionPass | null> {
    const { signal, heldMs } = turn;
    const leave = (pass: AdmissionPass | null): void => {
      this.#guarded(() => this.#admission.left(ticket, this.#options.now()));
      this.#held.get(ticket)?.go(pass);
      this.advance();
    };
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#left += 1;
        leave(null);
      };
      // Admission itself bounds a hold; of one that was held before, what is left of that.
      const bound =
        heldMs === 0
          ? null
          : setTimeout(() => leave(freePass(this.#heldFor(ticket))), Math.max(0, this.maxHoldMs - heldMs)).unref();
      const go = (pass: AdmissionPass | null): void => {
        this.#held.delete(ticket);
        if (bound !== null) clearTimeout(bound);
        signal.removeEventListener('abort', onAbort);
        resolve(pass);
      };
      this.#held.set(ticket, { turn, since, go });
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      this.advance();
    });
  }

  #heldFor(ticket: Ticket): number {
    return Math.max(0, this.#options.now() - (this.#held.get(ticket)?.since ?? 0));
  }

  #release(ticket: Ticket): void {
    this.#held.get(ticket)?.go(this.#pass(ticket, this.#heldFor(ticket)));
  }

  #letAllGo(): void {
    const released = this.#guarded(() => this.#admission.drain(this.#options.now()));
    for (const ticket of released ?? []) this.#release(ticket);
  }

  #pass(ticket: Ticket, queuedMs: number): AdmissionPass {
    const admission = this.#admission;
    const isHolding = this.#mode === 'holding';
    const isMovedByHand = this.#movedByHand.delete(ticket.turn.key);
    const granted = {
      replica: isHolding && !isMovedByHand ? ticket.replica : null,
      queuedMs: isHolding || queuedMs > 0 ? queuedMs : null,
    };
    return ticketPass(ticket, granted, (what) => {
      // One that failed in between has been replaced, and knows nothing of this ticket.
      if (admission === this.#admission) this.#guarded(() => what(admission, this.#options.now()));
      this.advance();
    });
  }

  #newAdmission(): Admission {
    const { create = createAdmission } = this.#options;
    return create({ capacityTokens: this.#capacities, settings: this.#settings });
  }

  /** Null where it failed. */
  #guarded<T>(act: () => T): T | null {
    try {
      return act();
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  #failed(error: unknown): void {
    const { log, model, now } = this.#options;
    if (now() - this.#loggedAt > LOG_EVERY_MS) {
      this.#loggedAt = now();
      log.error({ err: error, model }, 'cache-fit admission failed and begins anew; turns go by the rules of routing');
    }
    this.#admission = this.#newAdmission();
    for (const [ticket, { go }] of [...this.#held]) go(freePass(this.#heldFor(ticket)));
  }
}

/**
 * Turns of conversations that the router places. A client's own pin is not held, and side requests are short, often
 * come while their conversation's turn runs, and keep nothing in the cache.
 */
function isWeighed({ role, pin, unpinnable }: RoutedRequest): boolean {
  return role === 'turn' && pin === null && unpinnable === null;
}
