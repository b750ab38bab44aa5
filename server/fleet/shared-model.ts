import type { Logger } from 'pino';
import { z } from 'zod';
import { NEWS_MS } from '#lib/cache-fit/news.ts';
import {
  type Elsewhere,
  type LoadElsewhere,
  NO_LOAD_ELSEWHERE,
  NOTHING_ELSEWHERE,
  type ToldConversation,
} from '#lib/cache-fit/types.ts';
import { rendezvous } from '#lib/fleet/rendezvous.ts';
import type { Agreement, ElsewhereView, SessionKey } from '#lib/routing/types.ts';
import { type MemberConversation, readConversation } from './member-conversation.ts';
import { type SharedConnection, SharedMemoryAway } from './shared-connection.ts';
import { homeKey, loadKeys } from './shared-keys.ts';
import { REPLACE_HOME, REPORT_LOAD, RESET_LOAD } from './shared-scripts.ts';

/** One model of this warden, as far as the fleet has to do with it. Replicas are numbered as in this warden. */
export type FleetModel = {
  readonly name: string;
  /** What each replica is called by everyone: its URL and rank. */
  replicaIds(): readonly string[];
  /** Null where this warden has no such replica. */
  replicaOf(id: string): number | null;
  inFlight(replica: number): number;
  /** How long each turn that is held here has waited, longest first. */
  waitsMs(): readonly number[];
  /** The conversations that changed here a moment ago, as cache-fit knows them. */
  told(): readonly ToldConversation[];
  liveSessions(replica: number): number;
  /**
   * By replica: live conversations that had a turn here, or were told for cache-fit (not homes that were only heard of),
   * and the tokens of those whose place is kept, without the beginnings that they share.
   */
  served(): readonly { readonly conversations: number; readonly unsharedTokens: number }[];
  /** Most recently used first. */
  homes(): Iterable<{ readonly keyHash: string; readonly source: string; readonly replica: number }>;
  adopt(key: SessionKey, replica: number): void;
  forget(keyHash: string): void;
  /** A person at another warden chose where the conversation goes next: that stands over the place it has in a cache. */
  movedByHand(keyHash: string): void;
};

/** The home in force, and whether this claim made it. */
export type Claimed = { readonly replica: number; readonly isNew: boolean };

/** A change that the other wardens have to know at once. `byHand`: a person made it. */
export type HomeChange = { readonly key: SessionKey; readonly replica: string | null; readonly byHand: boolean };

/** Longer than what another warden told is under way. */
const CROSSING_MS = 1000;

export type SharedModelOptions = {
  readonly model: FleetModel;
  readonly warden: string;
  readonly connection: () => SharedConnection;
  readonly tell: (change: HomeChange) => void;
  /** Whether new homes are told as well: in a small fleet everyone knows them, should the memory go away. */
  readonly isFleetSmall: () => boolean;
  /** No other warden is heard of. */
  readonly isAlone: () => boolean;
  readonly now: () => number;
  /** Does something a moment later, after what else happens at once; in virtual time the caller's own. */
  readonly later: (act: () => void) => void;
  readonly log: Logger;
};

/** A home is forgotten this long after its last use, a little later than a warden would by itself. */
const HOME_SECONDS = 35 * 60;
/** As in lib/routing/homes.ts. */
const LIVE_MS = 5 * 60_000;
/** A use prolongs the home at most this often. */
const REFRESH_MS = 60_000;
const REMEMBERED = 16_384;
/** Of more replicas than this only those are asked after that this warden uses. */
const LARGEST_READ_WHOLE = 256;
/** Homes told at once after a gap. */
const RESYNC_BATCH = 200;

const reply = z.string().nullable();

/** What the others told for cache-fit; times in ms of the shared memory's clock, `sharedNow` when it was heard. */
export type Told = {
  readonly sharedNow: number;
  /** When held turns came, of which the conversations are not told. */
  readonly heldSince: readonly number[];
  readonly conversations: readonly MemberConversation[];
};
const NOTHING_TOLD: Told = { sharedNow: 0, heldSince: [], conversations: [] };
/** What was told longer ago is no news: its warden is dead, or cannot be heard. */
export const STALE_AFTER_MS = 3000;

/**
 * What the wardens share of one model: where conversations live, how many requests each has in flight, and what
 * cache-fit tells. Reads the
 * memory only for a conversation that this warden does not know; everything else is written behind.
 */
export class SharedModel {
  readonly #options: SharedModelOptions;
  /** Conversations whose home is known to be the fleet's, and when it was last prolonged. */
  readonly #confirmed = new Map<string, number>();
  /** Live conversations that this warden was the first to place, oldest use first: each counts with one warden only. */
  readonly #placedHere = new Map<string, { readonly id: string; readonly at: number }>();
  /** When conversations were moved here, oldest first. */
  readonly #movedHere = new Map<string, number>();
  readonly #elsewhere = new Map<string, number>();
  readonly #unreported = new Set<number>();
  readonly #liveElsewhere = new Map<string, number>();
  readonly #tokensElsewhere = new Map<string, number>();
  #heard: { readonly at: number; readonly told: Told } = { at: 0, told: NOTHING_TOLD };
  #isReportDue = false;
  #isClosed = false;

  constructor(options: SharedModelOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.model.name;
  }

  get isUp(): boolean {
    return this.#options.connection().isUp;
  }

  /** While the memory is away nothing is counted: what was heard last would spill turns for as long as that lasts. */
  readonly elsewhere: ElsewhereView = {
    inFlight: (replica) => (this.isUp ? (this.#elsewhere.get(this.#idOf(replica)) ?? 0) : 0),
    liveSessions: (replica) => (this.isUp ? (this.#liveElsewhere.get(this.#idOf(replica)) ?? 0) : 0),
  };

  /** By the hash of the conversation, over the replicas' names: every warden comes to the same. */
  readonly agreement: Agreement = (keyHash, eligible) =>
    rendezvous(keyHash, this.#options.model.replicaIds(), eligible);

  isConfirmed(keyHash: string): boolean {
    return this.#confirmed.has(keyHash);
  }

  /**
   * Makes `replica` the home of a conversation, unless it has one: the home in force, or null where the memory is away.
   * One that this warden does not have (any more), or of which `isGone` says so, is replaced. One round trip, or two.
   */
  async claim(key: SessionKey, replica: number, isGone: (replica: number) => boolean): Promise<Claimed | null> {
    const wanted = this.#idOf(replica);
    const at = homeKey(this.name, key.hash);
    try {
      const connection = this.#options.connection();
      const set = ['SET', at, wanted, 'NX', 'GET', 'EX', String(HOME_SECONDS)];
      const before = reply.parse(await connection.send(at, set));
      let inForce = before ?? wanted;
      if (before === null) this.#countHere(key.hash, wanted);
      const known = this.#options.model.replicaOf(inForce);
      if (inForce !== wanted && (known === null || isGone(known))) {
        const replacing = [inForce, wanted, String(HOME_SECONDS)];
        inForce = z.string().parse(await connection.run(REPLACE_HOME, [at], () => replacing));
        if (inForce === wanted) this.#options.tell({ key, replica: wanted, byHand: false });
      }
      const index = this.#options.model.replicaOf(inForce);
      if (index === null) return null;
      this.#confirm(key.hash);
      if (before === null && this.#options.isFleetSmall()) this.#options.tell({ key, replica: wanted, byHand: false });
      return { replica: index, isNew: before === null };
    } catch (error) {
      this.#note(error);
      return null;
    }
  }

  /** A turn went home: prolongs it now and then. */
  used(keyHash: string, replica: number): void {
    this.#stillLive(keyHash, this.#idOf(replica));
    const refreshedAt = this.#confirmed.get(keyHash);
    // Either way: after a clock that was set back it would not be prolonged until it had caught up.
    if (refreshedAt !== undefined && Math.abs(this.#options.now() - refreshedAt) < REFRESH_MS) return;
    this.#confirm(keyHash);
    this.#prolong(homeKey(this.name, keyHash), this.#idOf(replica)).catch((error: unknown) => this.#note(error));
  }

  /** This warden moved a conversation (null: forgot it), and the others have to follow. */
  moved(key: SessionKey, replica: number | null, byHand: boolean): void {
    const at = homeKey(this.name, key.hash);
    const id = replica === null ? null : this.#idOf(replica);
    this.#follow(key.hash, replica);
    this.#write(at, id === null ? ['DEL', at] : ['SET', at, id, 'EX', String(HOME_SECONDS)]);
    if (id === null) this.#confirmed.delete(key.hash);
    else this.#confirm(key.hash);
    this.#movedHere.delete(key.hash);
    this.#movedHere.set(key.hash, this.#options.now());
    if (this.#movedHere.size > REMEMBERED) deleteOldest(this.#movedHere);
    this.#options.tell({ key, replica: id, byHand });
  }

  /** Another warden placed or moved a conversation. */
  onMoved({ key, replica, byHand }: HomeChange): void {
    if (byHand) this.#options.model.movedByHand(key.hash);
    // Both moved it, and the memory has what came there last: the next turn asks.
    else if (this.#options.now() - (this.#movedHere.get(key.hash) ?? Number.NEGATIVE_INFINITY) < CROSSING_MS) {
      this.#confirmed.delete(key.hash);
      return;
    }
    const index = replica === null ? null : this.#options.model.replicaOf(replica);
    this.#follow(key.hash, index);
    if (index === null) {
      this.#confirmed.delete(key.hash);
      this.#options.model.forget(key.hash);
    } else if (this.#confirmed.has(key.hash) || this.#options.isFleetSmall()) {
      this.#options.model.adopt(key, index);
      this.#confirm(key.hash);
    }
  }

  #countHere(keyHash: string, id: string): void {
    this.#placedHere.set(keyHash, { id, at: this.#options.now() });
    if (this.#placedHere.size > REMEMBERED) deleteOldest(this.#placedHere);
  }

  /** One that was placed here first goes on, wherever its turns are served. */
  #stillLive(keyHash: string, id?: string): void {
    const placed = this.#placedHere.get(keyHash);
    if (placed === undefined) return;
    this.#placedHere.delete(keyHash);
    this.#countHere(keyHash, id ?? placed.id);
  }

  /** A conversation that was placed here first is counted where it lives now. */
  #follow(keyHash: string, replica: number | null): void {
    const placed = this.#placedHere.get(keyHash);
    if (placed === undefined) return;
    if (replica === null) this.#placedHere.delete(keyHash);
    else this.#placedHere.set(keyHash, { ...placed, id: this.#idOf(replica) });
  }

  /** The count of requests in flight on a replica has changed here. */
  loadChanged(replica: number): void {
    this.#unreported.add(replica);
    if (this.#isReportDue || this.#isClosed) return;
    this.#isReportDue = true;
    this.#options.later(() => this.#report());
  }

  /** Live conversations by replica id, of those that this warden placed first; none in a fleet of very many replicas. */
  livePlacedHere(): Record<string, number> {
    if (this.#options.model.replicaIds().length > LARGEST_READ_WHOLE) return {};
    const since = this.#options.now() - LIVE_MS;
    const live: Record<string, number> = {};
    for (const [keyHash, { id, at }] of this.#placedHere) {
      if (at < since) this.#placedHere.delete(keyHash);
      else live[id] = (live[id] ?? 0) + 1;
    }
    return live;
  }

  /**
   * What this warden tells the others, by replica id: the live conversations that it placed first, and its working set
   * as far as it is of these. With a balancer that deals turns out, every warden serves every conversation, and each is
   * to be counted once.
   */
  ownShare(): { readonly live: Record<string, number>; readonly tokens: Record<string, number> } {
    const live = this.livePlacedHere();
    const tokens = this.#options.model.served().flatMap(({ conversations, unsharedTokens }, replica) => {
      const id = this.#idOf(replica);
      const mine = Math.min(conversations, live[id] ?? 0);
      return mine === 0 ? [] : [[id, (unsharedTokens * mine) / conversations] as const];
    });
    return { live, tokens: Object.fromEntries(tokens) };
  }

  /**
   * What the others say: of the conversations that they placed first how many are live, and their tokens, and who waits
   * for room there.
   */
  onElsewhere(live: ReadonlyMap<string, number>, tokens: ReadonlyMap<string, number>, told: Told): void {
    const { model } = this.#options;
    this.#heard = { at: this.#options.now(), told };
    for (const { key } of told.conversations) this.#stillLive(key);
    const mine = this.livePlacedHere();
    const served = model.served();
    this.#liveElsewhere.clear();
    this.#tokensElsewhere.clear();
    for (const [replica, id] of model.replicaIds().entries()) {
      const theirs = live.get(id) ?? 0;
      if (theirs === 0) continue;
      // Those of theirs that this warden knows, or serves, are in its own counts already.
      const unknown = (counted: number): number => Math.max(0, theirs - Math.max(0, counted - (mine[id] ?? 0)));
      this.#liveElsewhere.set(id, unknown(model.liveSessions(replica)));
      this.#tokensElsewhere.set(id, ((tokens.get(id) ?? 0) * unknown(served[replica]?.conversations ?? 0)) / theirs);
    }
  }

  /** Tokens that conversations of which cache-fit knows nothing here keep on a replica. */
  tokensElsewhere(replica: number): number {
    if (!this.isUp || this.#options.isFleetSmall()) return 0;
    return this.#tokensElsewhere.get(this.#idOf(replica)) ?? 0;
  }

  get isHeldElsewhere(): boolean {
    const { heldSince, conversations } = this.#heard.told;
    return heldSince.length > 0 || conversations.some((one) => one.held_since_ms !== null);
  }

  /** The others cannot be heard any more. */
  forgetHeard(): void {
    this.#heard = { at: 0, told: NOTHING_TOLD };
  }

  /** What the others told, for cache-fit, as of now: it has grown older since. Nothing while they cannot be heard. */
  toldElsewhere(): Elsewhere {
    if (!this.isUp) return NOTHING_ELSEWHERE;
    const { model, isFleetSmall, isAlone } = this.#options;
    const { at, told } = this.#heard;
    const since = Math.max(0, this.#options.now() - at);
    const { heldSince, conversations } = since > STALE_AFTER_MS ? NOTHING_TOLD : told;
    const now = told.sharedNow + since;
    return {
      newsMs: isFleetSmall() && !isAlone() ? NEWS_MS : 0,
      replicas: model.replicaIds().map((_, replica) => this.#loadElsewhere(replica)),
      waitsMs: heldSince.map((heldAt) => Math.max(0, now - heldAt)),
      conversations: conversations.flatMap((one) => readConversation(one, model, now)),
    };
  }

  /** In a small fleet each conversation is told, and is not to be counted twice. */
  #loadElsewhere(replica: number): LoadElsewhere {
    const inFlight = this.elsewhere.inFlight(replica);
    if (this.#options.isFleetSmall()) return { ...NO_LOAD_ELSEWHERE, inFlight };
    return { conversations: this.elsewhere.liveSessions(replica), tokens: this.tokensElsewhere(replica), inFlight };
  }

  /** After a gap: tells all that is in flight here and all homes; where another warden has another home, it is taken. */
  async resync(): Promise<void> {
    const { model } = this.#options;
    this.#confirmed.clear();
    this.#elsewhere.clear();
    const counts = () =>
      model.replicaIds().flatMap((id, replica) => {
        const count = model.inFlight(replica);
        return count > 0 ? [id, String(count)] : [];
      });
    await this.#options.connection().run(RESET_LOAD, loadKeys(this.name, this.#options.warden), counts);
    const homes = [...model.homes()].map(({ keyHash, source, replica }) => ({
      key: { hash: keyHash, source },
      replica,
    }));
    for (let at = 0; at < homes.length; at += RESYNC_BATCH) {
      await Promise.all(homes.slice(at, at + RESYNC_BATCH).map((home) => this.#reclaim(home.key, home.replica)));
    }
    await this.readLoad();
  }

  /** Asks how many requests the others have in flight. */
  async readLoad(): Promise<void> {
    const { model, connection } = this.#options;
    const [all] = loadKeys(this.name, this.#options.warden);
    const ids = model.replicaIds();
    const isRead = (replica: number, id: string): boolean =>
      id !== '' && (ids.length <= LARGEST_READ_WHOLE || model.inFlight(replica) > 0 || this.#elsewhere.has(id));
    const numbers = [...ids.keys()].filter((replica) => isRead(replica, ids[replica] ?? ''));
    if (numbers.length === 0) return;
    const used = numbers.map((one) => ids[one] ?? '');
    const before = numbers.map((one) => model.inFlight(one));
    const sums = z.array(reply).parse(await connection().send(all, ['HMGET', all, ...used]));
    for (const [index, id] of used.entries()) this.#setElsewhere(id, Number(sums[index] ?? 0), before[index] ?? 0);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #reclaim(key: SessionKey, replica: number): Promise<void> {
    const inForce = await this.claim(key, replica, () => false);
    if (inForce !== null && inForce.replica !== replica) this.#options.model.adopt(key, inForce.replica);
  }

  #report(): void {
    this.#isReportDue = false;
    if (this.#isClosed) return;
    const replicas = [...this.#unreported];
    this.#unreported.clear();
    if (!this.isUp) return;
    for (const replica of replicas) {
      const id = this.#idOf(replica);
      let own = 0;
      const count = () => {
        own = this.#options.model.inFlight(replica);
        return [id, String(own)];
      };
      const keys = loadKeys(this.name, this.#options.warden);
      this.#options
        .connection()
        .run(REPORT_LOAD, keys, count)
        .then((sum) => this.#setElsewhere(id, z.coerce.number().parse(sum), own))
        .catch((error: unknown) => this.#note(error));
    }
  }

  /** What was reported is not yet what is there: a change of ours that is on its way must not count as another's. */
  #setElsewhere(id: string, sum: number, own: number): void {
    const elsewhere = Math.max(0, sum - own);
    if (elsewhere === 0) this.#elsewhere.delete(id);
    else this.#elsewhere.set(id, elsewhere);
  }

  #confirm(keyHash: string): void {
    this.#confirmed.delete(keyHash);
    this.#confirmed.set(keyHash, this.#options.now());
    if (this.#confirmed.size > REMEMBERED) deleteOldest(this.#confirmed);
  }

  /** Never changes a home: another warden may have moved it a moment ago. One that was lost is entered again. */
  async #prolong(at: string, id: string): Promise<void> {
    const { connection } = this.#options;
    const isThere = await connection().send(at, ['EXPIRE', at, String(HOME_SECONDS)]);
    if (Number(isThere) === 0) await connection().send(at, ['SET', at, id, 'NX', 'EX', String(HOME_SECONDS)]);
  }

  #write(key: string, args: readonly string[]): void {
    if (!this.isUp) return;
    this.#options
      .connection()
      .send(key, args)
      .catch((error: unknown) => this.#note(error));
  }

  /** Away is a state of its own and is told once; anything else is a fault. */
  #note(error: unknown): void {
    if (error instanceof SharedMemoryAway) return;
    this.#options.log.error({ err: error, model: this.name }, 'the shared memory refused');
  }

  #idOf(replica: number): string {
    return this.#options.model.replicaIds()[replica] ?? '';
  }
}

/** Of a map whose entries stand in the order of their last use. */
function deleteOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
