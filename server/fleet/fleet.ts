import type { Logger } from 'pino';
import { z } from 'zod';
import { KeyUse, type KeyUseHost } from './key-use.ts';
import { type MemberConversation, memberConversation, writeConversation } from './member-conversation.ts';
import { AccessBook, type AccessHost, type SharedAccess } from './shared-access.ts';
import { SharedClock } from './shared-clock.ts';
import { connectShared, type SharedConnection, SharedMemoryAway } from './shared-connection.ts';
import { ABOUT_KEY, CHANGES_CHANNEL, loadKeys, MEMBERS_KEY, MODELS_KEY, PROBE_KEY, settingKey } from './shared-keys.ts';
import { type FleetModel, type HomeChange, SharedModel, STALE_AFTER_MS, type Told } from './shared-model.ts';
import { BEAT, RESET_LOAD } from './shared-scripts.ts';
import type { SharedAddress } from './shared-url.ts';
import type { Vault } from './vault.ts';

/** What a warden tells the others of one of its models; counts by replica id. */
export type MemberModel = {
  readonly in_flight: number;
  readonly held: number;
  /** When those that are held came, oldest first, in ms of the shared memory's clock; of a long line its beginning. */
  readonly held_since_ms: readonly number[];
  /** What changed a moment ago of the conversations that cache-fit knows; empty in a large fleet. */
  readonly conversations: readonly MemberConversation[];
  readonly live_sessions: Readonly<Record<string, number>>;
  readonly working_set_tokens: Readonly<Record<string, number>>;
};
/** What a warden tells of itself. */
export type MemberInfo = {
  readonly id: string;
  readonly url: string;
  /** Where the other wardens ask it; wardens of before there was anything to ask do not tell. */
  readonly api_url?: string | undefined;
  readonly version: string;
  readonly started_at: string;
  /** When it told this, in ms of the shared memory's clock. */
  readonly told_at_ms: number;
  readonly models: Readonly<Record<string, MemberModel>>;
};

/** A model of this warden, with what the fleet may change of it. */
export type FleetHost = FleetModel & {
  info(): Omit<MemberModel, 'held_since_ms' | 'conversations'>;
  /** The setting as JSON, and its taking over: from another warden, or from what the fleet had set before this one came. */
  setting(): string;
  applySetting(json: string, by: string): Promise<void>;
  /** What the others keep on the replicas is known anew. */
  elsewhereChanged(): void;
};

export type FleetOptions = {
  readonly address: SharedAddress;
  /** This process's own name; another one after a restart. */
  readonly id: string;
  readonly about: () => Omit<MemberInfo, 'id' | 'models' | 'told_at_ms'>;
  readonly now: () => number;
  readonly log: Logger;
  /** Up to so many wardens tell one another of every conversation. */
  readonly smallFleet?: number;
};

export type Fleet = {
  readonly isUp: boolean;
  /** Why the shared memory is away; null while it is not. */
  readonly awayBecause: string | null;
  readonly id: string;
  /** Where the others ask this warden; empty until it listens. */
  readonly apiUrl: string;
  /** Ms of the shared memory's clock, the same for all wardens; null while it was never read. */
  sharedNow(): number | null;
  /** Resolves when the memory can be asked, or, where it cannot, after so many ms. */
  whenUp(withinMs: number): Promise<void>;
  /** This warden and the others, as last heard. */
  members(): readonly MemberInfo[];
  join(model: FleetHost): SharedModel;
  leave(name: string): void;
  /** A person changed the setting of a model here. */
  settingChanged(name: string): void;
  /** Changes the setting of a model here, and tells the others; rejects as `change` does. */
  changeSetting<Result>(name: string, change: () => Promise<Result>): Promise<Result>;
  /** From now on keys, people and sign-ins are shared; once. */
  shareAccess(vault: Vault, books: AccessHost, limits: KeyUseHost): SharedAccess;
  close(): Promise<void>;
};

const BEAT_MS = 1000;
const READ_LOAD_MS = 250;
/** While turns wait for room, it has to be known soon where there is some. */
const BEAT_WHILE_HOLDING_MS = 250;
/** So many wardens tell one another of every conversation; more would hear too much that they never need. */
const SMALL_FLEET = 16;
/** Who is further back in a line learns its place when it comes nearer. */
const WAITS_TOLD = 256;
/** What changes within it is reported together. */
const REPORT_AFTER_MS = 5;
/** A warden that was not heard for this long is dead, and so is what it had in flight. */
const DEAD_AFTER_MS = 6000;

const change = z.union([
  z.object({
    kind: z.literal('home'),
    from: z.string(),
    model: z.string(),
    key: z.object({ hash: z.string(), source: z.string() }),
    replica: z.string().nullable(),
    byHand: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('setting'), from: z.string(), model: z.string() }),
  z.object({ kind: z.literal('access'), from: z.string(), place: z.string() }),
]);
type Change = z.infer<typeof change>;

const counts = z.record(z.string(), z.number());
/** What a warden of another version does not tell is nothing; what of it is not understood is left out. */
const memberInfo: z.ZodType<MemberInfo, unknown> = z.object({
  id: z.string(),
  url: z.string(),
  api_url: z.string().optional(),
  version: z.string(),
  started_at: z.string(),
  told_at_ms: z.number().default(0),
  models: z.record(
    z.string(),
    z.object({
      in_flight: z.number(),
      held: z.number(),
      held_since_ms: z.array(z.number()).default([]),
      conversations: z
        .array(z.unknown())
        .default([])
        .transform((all) => all.flatMap((one) => memberConversation.safeParse(one).data ?? [])),
      live_sessions: counts,
      working_set_tokens: counts,
    }),
  ),
});
const beatReply = z.tuple([z.number(), z.array(z.string()), z.number()]);

type Joined = {
  readonly host: FleetHost;
  readonly shared: SharedModel;
  isSettingUnsaid: boolean;
  /** Changes of its setting that were made here: what is heard from before one of them is not to undo it. */
  changes: number;
  /** Those that are being saved now. */
  changing: number;
};

/** Joins the wardens that share one memory. Starts away, and comes and goes without any request's notice. */
export function joinFleet(options: FleetOptions): Fleet {
  return new SharedFleet(options);
}

class SharedFleet implements Fleet {
  awayBecause: string | null = 'not connected yet';
  readonly #options: FleetOptions;
  readonly #connection: SharedConnection;
  readonly #models = new Map<string, Joined>();
  readonly #timers: readonly NodeJS.Timeout[];
  #members: readonly MemberInfo[] = [];
  readonly #clock = new SharedClock();
  #access: { readonly book: AccessBook; readonly use: KeyUse } | null = null;
  #whenUp: () => void = () => {};
  #isBeating = false;
  #isClosed = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#connection = connectShared({
      address: options.address,
      channel: CHANGES_CHANNEL,
      probeKey: PROBE_KEY,
      onMessage: (message) => this.#onMessage(message),
      onUp: () => this.#inBackground(this.#onUp()),
      onAway: (reason) => {
        this.awayBecause = reason;
        for (const { host, shared } of this.#models.values()) {
          shared.forgetHeard();
          host.elsewhereChanged();
        }
        this.#access?.book.onAway();
        this.#access?.use.onAway(this.#members.length);
      },
      log: options.log,
    });
    this.#timers = [
      setInterval(() => this.#inBackground(this.#beat()), BEAT_MS).unref(),
      setInterval(() => this.#inBackground(this.#access?.book.keepUp()), BEAT_MS).unref(),
      setInterval(() => this.#inBackground(this.#readLoads()), READ_LOAD_MS).unref(),
      setInterval(() => this.#inBackground(this.#access?.use.keepUp()), READ_LOAD_MS).unref(),
      setInterval(() => this.#inBackground(this.#beatWhileHolding()), BEAT_WHILE_HOLDING_MS).unref(),
    ];
  }

  get id(): string {
    return this.#options.id;
  }

  get apiUrl(): string {
    const { url, api_url } = this.#options.about();
    return api_url ?? url;
  }

  sharedNow(): number | null {
    return this.#clock.isRead ? this.#sharedNow() : null;
  }

  get isUp(): boolean {
    return this.#connection.isUp;
  }

  whenUp(withinMs: number): Promise<void> {
    if (this.isUp) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#whenUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  members(): readonly MemberInfo[] {
    const others = this.#members.filter((member) => member.id !== this.id);
    return [this.#info(), ...others].sort((a, b) => a.started_at.localeCompare(b.started_at));
  }

  join(host: FleetHost): SharedModel {
    const shared = new SharedModel({
      model: host,
      warden: this.id,
      connection: () => this.#connection,
      tell: (moved) => this.#tellHome(host.name, moved),
      isFleetSmall: () => this.#isSmall(),
      isAlone: () => this.#members.every(({ id }) => id === this.id),
      now: this.#options.now,
      later: (act) => void setTimeout(act, REPORT_AFTER_MS).unref(),
      log: this.#options.log,
    });
    const joined = { host, shared, isSettingUnsaid: false, changes: 0, changing: 0 };
    this.#models.set(host.name, joined);
    if (this.isUp) this.#inBackground(this.#resync(joined));
    return shared;
  }

  leave(name: string): void {
    const joined = this.#models.get(name);
    if (joined === undefined) return;
    this.#models.delete(name);
    joined.shared.close();
    if (this.isUp) this.#inBackground(this.#forgetLoad(name, this.id));
  }

  settingChanged(name: string): void {
    const joined = this.#models.get(name);
    if (joined === undefined) return;
    joined.changes += 1;
    joined.isSettingUnsaid = true;
    if (this.isUp) this.#inBackground(this.#saySetting(joined));
  }

  async changeSetting<Result>(name: string, change: () => Promise<Result>): Promise<Result> {
    const joined = this.#models.get(name);
    if (joined === undefined) return change();
    joined.changing += 1;
    try {
      const changed = await change();
      joined.changing -= 1;
      this.settingChanged(name);
      return changed;
    } catch (error) {
      joined.changing -= 1;
      // What was heard meanwhile was not taken.
      if (this.isUp) this.#inBackground(this.#hearSetting(joined, 'fleet'));
      throw error;
    }
  }

  shareAccess(vault: Vault, books: AccessHost, limits: KeyUseHost): SharedAccess {
    const connection = () => this.#connection;
    const { now, log } = this.#options;
    const tell = (place: string) => this.#publish({ kind: 'access', from: this.id, place });
    const book = new AccessBook({ host: books, vault, connection, tell, now, log });
    const aheadMs = () => this.#clock.aheadMs;
    const use = new KeyUse({ host: limits, vault, warden: this.id, connection, now, aheadMs });
    this.#access = { book, use };
    this.#inBackground(book.keepUp());
    return book;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    const names = [...this.#models.keys()];
    for (const { shared } of this.#models.values()) shared.close();
    this.#models.clear();
    if (this.isUp) {
      const goodbye = [
        ...names.map((name) => this.#forgetLoad(name, this.id)),
        this.#connection.send(MEMBERS_KEY, ['ZREM', MEMBERS_KEY, this.id]),
        this.#connection.send(ABOUT_KEY, ['HDEL', ABOUT_KEY, this.id]),
        this.#access?.use.forget(this.id),
      ];
      // Whoever hears nothing of it takes this warden for dead a little later.
      await Promise.allSettled(goodbye);
    }
    this.#connection.close();
  }

  async #onUp(): Promise<void> {
    this.awayBecause = null;
    this.#whenUp();
    this.#options.log.info('the shared memory is up');
    this.#inBackground(this.#access?.book.keepUp());
    await this.#announce();
    await Promise.all([...this.#models.values()].map((joined) => this.#resync(joined)));
    await this.#readMembers();
  }

  async #resync(joined: Joined): Promise<void> {
    const { host, shared } = joined;
    await this.#connection.send(MODELS_KEY, ['SADD', MODELS_KEY, host.name]);
    await shared.resync();
    if (joined.isSettingUnsaid) await this.#saySetting(joined);
    else await this.#hearSetting(joined, 'fleet');
  }

  async #beat(): Promise<void> {
    if (!this.isUp || this.#isBeating) return;
    this.#isBeating = true;
    try {
      const { wasKnown, dead } = await this.#announce();
      // The others took this one for dead, as after a pause of the whole process: what it has in flight was forgotten.
      if (!wasKnown) for (const { shared } of this.#models.values()) await shared.resync();
      for (const id of dead) await this.#bury(id);
      await this.#readMembers();
    } finally {
      this.#isBeating = false;
    }
  }

  /** In a large fleet a second is soon enough: what all tell of themselves is much to read. */
  async #beatWhileHolding(): Promise<void> {
    const isHolding = [...this.#models.values()].some(
      ({ host, shared }) => host.waitsMs().length > 0 || shared.isHeldElsewhere,
    );
    if (isHolding && this.#isSmall()) await this.#beat();
  }

  /** Says that this warden lives, and what it does. Tells whether the others knew, and which of them are dead. */
  async #announce(): Promise<{ readonly wasKnown: boolean; readonly dead: readonly string[] }> {
    const beat = [this.id, String(DEAD_AFTER_MS)];
    const askedAt = this.#options.now();
    const [wasKnown, dead, sharedNow] = beatReply.parse(await this.#connection.run(BEAT, [MEMBERS_KEY], () => beat));
    this.#clock.read({ askedAt, sharedNow, answeredAt: this.#options.now() });
    // Nobody would take it out again.
    if (this.#isClosed) return { wasKnown: true, dead: [] };
    await this.#connection.send(ABOUT_KEY, ['HSET', ABOUT_KEY, this.id, JSON.stringify(this.#info())]);
    return { wasKnown: wasKnown === 1, dead };
  }

  async #bury(id: string): Promise<void> {
    const names = z.array(z.string()).parse(await this.#connection.send(MODELS_KEY, ['SMEMBERS', MODELS_KEY]));
    await Promise.all(names.map((name) => this.#forgetLoad(name, id)));
    await this.#connection.send(ABOUT_KEY, ['HDEL', ABOUT_KEY, id]);
    await this.#connection.send(MEMBERS_KEY, ['ZREM', MEMBERS_KEY, id]);
    await this.#access?.use.forget(id);
    this.#options.log.warn({ warden: id }, 'a warden is gone: what it had in flight is forgotten');
  }

  #forgetLoad(name: string, warden: string): Promise<unknown> {
    return this.#connection.run(RESET_LOAD, loadKeys(name, warden), () => []);
  }

  async #readMembers(): Promise<void> {
    const texts = z.array(z.string()).parse(await this.#connection.send(ABOUT_KEY, ['HVALS', ABOUT_KEY]));
    // A warden of another version may tell other things of itself; the rest of the fleet is to be seen all the same.
    this.#members = texts.flatMap((text) => memberInfo.safeParse(parseJson(text)).data ?? []);
    for (const { host, shared } of this.#models.values()) {
      const others = this.#members.filter((member) => member.id !== this.id);
      const theirs = others.flatMap((member) => member.models[host.name] ?? []);
      const live = sumOf(theirs.map((model) => model.live_sessions));
      const tokens = sumOf(theirs.map((model) => model.working_set_tokens));
      shared.onElsewhere(live, tokens, this.#newsOf(host.name, others));
      host.elsewhereChanged();
    }
  }

  /** What wardens that are heard told of a model. Their conversations have their waits; only sums need those beside them. */
  #newsOf(name: string, others: readonly MemberInfo[]): Told {
    const now = this.#sharedNow();
    const heard = others.filter(({ told_at_ms }) => now - told_at_ms < STALE_AFTER_MS);
    const theirs = heard.flatMap((member) => member.models[name] ?? []);
    return {
      sharedNow: now,
      heldSince: theirs.flatMap((model) => (model.conversations.length > 0 ? [] : model.held_since_ms)),
      conversations: theirs.flatMap((model) => model.conversations),
    };
  }

  async #readLoads(): Promise<void> {
    if (!this.isUp) return;
    await Promise.all([...this.#models.values()].map(({ shared }) => shared.readLoad()));
  }

  #isSmall(): boolean {
    return this.#members.length <= (this.#options.smallFleet ?? SMALL_FLEET);
  }

  /** Wardens' clocks may differ; this one is the same for all, as far as a round trip tells. */
  #sharedNow(): number {
    return this.#options.now() + this.#clock.aheadMs;
  }

  #info(): MemberInfo {
    const models = [...this.#models.values()].map(({ host }) => {
      const waitsMs = host.waitsMs().slice(0, WAITS_TOLD);
      const now = this.#sharedNow();
      const held_since_ms = waitsMs.map((waitMs) => now - waitMs);
      const conversations = this.#isSmall() ? host.told().map((one) => writeConversation(one, host, now)) : [];
      return [host.name, { ...host.info(), held_since_ms, conversations }] as const;
    });
    const told_at_ms = this.#sharedNow();
    return { id: this.id, ...this.#options.about(), told_at_ms, models: Object.fromEntries(models) };
  }

  async #saySetting(joined: Joined): Promise<void> {
    const { host } = joined;
    const at = settingKey(host.name);
    await this.#connection.send(at, ['SET', at, host.setting()]);
    joined.isSettingUnsaid = false;
    await this.#publish({ kind: 'setting', from: this.id, model: host.name });
  }

  /** What the fleet has set holds; the first warden of a model brings its own. */
  async #hearSetting(joined: Joined, by: string): Promise<void> {
    const { host, changes } = joined;
    const at = settingKey(host.name);
    const before = await this.#connection.send(at, ['SET', at, host.setting(), 'NX', 'GET']);
    if (typeof before !== 'string' || joined.changing > 0 || joined.changes !== changes) return;
    await host.applySetting(before, by);
  }

  #tellHome(model: string, { key, replica, byHand }: HomeChange): void {
    const home = { kind: 'home', from: this.id, model, key, replica, byHand } as const;
    if (this.isUp) this.#inBackground(this.#publish(home));
  }

  async #publish(message: Change): Promise<void> {
    await this.#connection.send(CHANGES_CHANNEL, ['PUBLISH', CHANGES_CHANNEL, JSON.stringify(message)]);
  }

  #onMessage(text: string): void {
    const parsed = change.safeParse(parseJson(text));
    if (!parsed.success) {
      this.#options.log.warn({ err: parsed.error }, 'a message of the fleet was not understood');
      return;
    }
    const message = parsed.data;
    if (message.kind === 'access') {
      if (message.from !== this.id) this.#inBackground(this.#access?.book.onTold(message.place));
      return;
    }
    const joined = this.#models.get(message.model);
    if (joined === undefined || message.from === this.id) return;
    if (message.kind === 'home') joined.shared.onMoved(message);
    else this.#inBackground(this.#hearSetting(joined, `warden ${this.#addressOf(message.from)}`));
  }

  #addressOf(id: string): string {
    // A warden that is about to listen has no address yet.
    return this.#members.find((member) => member.id === id)?.url || id;
  }

  /** Nothing waits for it: that the memory is away is a state, anything else is logged. */
  #inBackground(work: Promise<unknown> | undefined): void {
    work?.catch((error: unknown) => {
      if (!(error instanceof SharedMemoryAway)) this.#options.log.error({ err: error }, 'the fleet could not be kept');
    });
  }
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const one of all) for (const [id, value] of Object.entries(one)) sums.set(id, (sums.get(id) ?? 0) + value);
  return sums;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
