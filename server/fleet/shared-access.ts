import type { Logger } from 'pino';
import { z } from 'zod';
import { mergeRecords } from '#lib/access/merge-records.ts';
import {
  type Identity,
  identityOf,
  isSameRecord,
  recordText,
  type SharedRecord,
  sharedRecord,
} from '#lib/access/shared-record.ts';
import { hashFields } from './hash-fields.ts';
import { type SharedConnection, SharedMemoryAway } from './shared-connection.ts';
import { accessKey } from './shared-keys.ts';
import { SWAP_FIELD } from './shared-scripts.ts';
import type { Vault } from './vault.ts';

/** Who keeps a warden's own books of access. */
export type AccessHost = {
  /** All that it knows. */
  records(): readonly SharedRecord[];
  /** Merges what another warden knows into the books. `over`: it is of no use to anybody any more. */
  take(record: SharedRecord): Promise<'kept' | 'over'>;
};

/** What the wardens of a fleet know together of keys, people and sign-ins. */
export type SharedAccess = {
  /** True once this process has heard what the others know. */
  readonly isHeard: boolean;
  /** Ends when that is so, or after `ms`. */
  heard(ms: number): Promise<void>;
  /** Tells the others of a change; ends when they can know, or when they cannot be told now. Never rejects. */
  say(record: SharedRecord): Promise<void>;
  /** Looks up one thing, for who does not know it; null while the memory is away. Never rejects. */
  ask(identity: Identity): Promise<void> | null;
};

export type SharedAccessOptions = {
  readonly host: AccessHost;
  readonly vault: Vault;
  readonly connection: () => SharedConnection;
  /** Tells all wardens that something lies anew at a place. */
  readonly tell: (place: string) => Promise<void>;
  readonly now: () => number;
  readonly log: Logger;
};

/** Counts the changes: whoever has seen another number has missed something. */
const SEQUENCE = 'sequence';
/** However the numbers are, what lies there is compared with the books so often: somebody may have written an old one. */
const COMPARE_EVERY_MS = 10_000;
/** So long after the last warden was there; what is lost with it comes back from their databases. */
const KEPT_SECONDS = 30 * 86_400;
/** No fleet has so much to tell; whoever fills the memory is not read. */
const MOST_FIELDS = 100_000;
const ATTEMPTS = 10;

const swapped = z.union([z.tuple([z.literal(1)]), z.tuple([z.literal(0), z.string()])]);

/** What lies at a place: the text, and what it says; null where that is nothing of ours. */
type Laid = { readonly text: string; readonly record: SharedRecord | null };
const NOTHING: Laid = { text: '', record: null };

/** What comes first is what the rest names. */
const ORDER: Readonly<Record<SharedRecord['kind'], number>> = {
  person: 0,
  removed_person: 0,
  key: 1,
  session: 2,
  ended_session: 2,
};

/**
 * Keeps the books of one warden and what lies in the shared memory alike: both are merged, whichever way a change came.
 * The memory decides nothing; it may be empty, full of junk or behind.
 */
export class AccessBook implements SharedAccess {
  isHeard = false;
  readonly #options: SharedAccessOptions;
  readonly #key: string;
  #laid = new Map<string, Laid>();
  /** What could not be written into the books, as on a full disk. */
  readonly #untaken = new Set<string>();
  #sequence: string | null = null;
  #comparedAt = Number.NEGATIVE_INFINITY;
  #isComparing = false;
  #waiting: (() => void)[] = [];
  #strangers = 0;
  #failure = '';

  constructor(options: SharedAccessOptions) {
    this.#options = options;
    this.#key = accessKey(options.vault.id);
  }

  async heard(ms: number): Promise<void> {
    if (this.isHeard) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async say(record: SharedRecord): Promise<void> {
    if (!this.#isUp) return;
    const place = this.#placeOf(record);
    await this.#attempt(() => this.#lay(place, record, this.#laid.get(place) ?? NOTHING));
  }

  ask(identity: Identity): Promise<void> | null {
    return this.#isUp ? this.#look(this.#options.vault.place(identity)) : null;
  }

  /** Something lies anew at a place. */
  onTold(place: string): Promise<void> {
    return this.#look(place);
  }

  /** Also what is known to lie there is taken: whoever asks may be ahead of a taking that is under way. */
  async #look(place: string): Promise<void> {
    await this.#attempt(async () => {
      const text = await this.#send(['HGET', this.#key, place]);
      if (typeof text !== 'string') return;
      const laid = this.#read(place, text);
      this.#laid.set(place, laid);
      if (laid.record !== null) await this.#take(place, laid.record);
    });
  }

  /** To be called every second, and when the memory is there (again): all is compared where something may be missing. */
  async keepUp(): Promise<void> {
    if (!this.#isUp || this.#isComparing) return;
    this.#isComparing = true;
    await this.#attempt(async () => {
      const sequence = await this.#send(['HGET', this.#key, SEQUENCE]);
      const isDue = this.#options.now() - this.#comparedAt >= COMPARE_EVERY_MS;
      if (this.isHeard && !isDue && sequence === this.#sequence && sequence !== null) return;
      await this.#compare();
    });
    this.#isComparing = false;
  }

  /** What was published meanwhile was missed, and the memory may come back another one. */
  onAway(): void {
    this.#sequence = null;
    this.#laid.clear();
  }

  get #isUp(): boolean {
    return this.#options.connection().isUp;
  }

  #placeOf(record: SharedRecord): string {
    return this.#options.vault.place(identityOf(record));
  }

  #send(args: readonly string[]): Promise<unknown> {
    return this.#options.connection().send(this.#key, args);
  }

  async #compare(): Promise<void> {
    const size = z.number().parse(await this.#send(['HLEN', this.#key]));
    if (size > MOST_FIELDS)
      throw new Error(`${size} entries of access in the shared memory are more than any fleet has`);
    const before = this.#laid;
    const sequence = await this.#readAll();
    const { host } = this.#options;
    const theirs = [...this.#laid].flatMap(([place, { record }]) => (record === null ? [] : [{ place, record }]));
    const fresh = theirs.filter(({ place, record }) => {
      // A sign-in is taken only once its person is known: perhaps now.
      const isRead = before.get(place) !== this.#laid.get(place);
      return isRead || record.kind === 'session' || this.#untaken.has(place);
    });
    for (const { place, record } of fresh.toSorted((a, b) => ORDER[a.record.kind] - ORDER[b.record.kind])) {
      await this.#take(place, record);
    }
    for (const record of host.records()) {
      const place = this.#placeOf(record);
      await this.#lay(place, record, this.#laid.get(place) ?? NOTHING);
    }
    this.#sequence = sequence;
    this.#comparedAt = this.#options.now();
    this.isHeard = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #readAll(): Promise<string | null> {
    const before = this.#laid;
    const now = new Map<string, Laid>();
    let sequence: string | null = null;
    for (const [place, text] of hashFields(await this.#send(['HGETALL', this.#key]))) {
      if (place === SEQUENCE) {
        sequence = text;
        continue;
      }
      const known = before.get(place);
      now.set(place, known?.text === text ? known : this.#read(place, text));
    }
    this.#laid = now;
    this.#warnOfStrangers([...now.values()].filter(({ record }) => record === null).length);
    return sequence;
  }

  /** Only what was sealed with the secret of the fleet, is understood, and lies where it belongs is a record. */
  #read(place: string, text: string): Laid {
    const opened = this.#options.vault.open(place, text);
    const parsed = opened === null ? null : sharedRecord.safeParse(parseJson(opened));
    const record = parsed?.data ?? null;
    return { text, record: record !== null && this.#placeOf(record) === place ? record : null };
  }

  /** One record that cannot be taken keeps none of the others away; it is tried again. */
  async #take(place: string, record: SharedRecord): Promise<void> {
    try {
      const use = await this.#options.host.take(record);
      this.#untaken.delete(place);
      if (use === 'kept') return;
    } catch (error) {
      this.#untaken.add(place);
      this.#options.log.error({ err: error, kind: record.kind }, 'what another warden knows could not be kept here');
      return;
    }
    this.#laid.delete(place);
    await this.#send(['HDEL', this.#key, place]);
  }

  /**
   * Writes what a record and what lies there are together, if that is not the same as what lies there: where it is not
   * what was read last, again with that.
   */
  async #lay(place: string, record: SharedRecord, before: Laid): Promise<void> {
    let laid = before;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const ours: SharedRecord = laid.record === null ? record : mergeRecords(record, laid.record);
      if (laid.record !== null && isSameRecord(ours, laid.record)) return;
      const text = this.#options.vault.seal(place, recordText(ours));
      const args = [place, laid.text, text, SEQUENCE, String(KEPT_SECONDS)];
      const [isDone, current] = swapped.parse(
        await this.#options.connection().run(SWAP_FIELD, [this.#key], () => args),
      );
      laid = isDone === 1 ? { text, record: ours } : this.#read(place, current);
      this.#laid.set(place, laid);
      if (isDone === 1) return this.#options.tell(place);
      if (laid.record !== null) await this.#take(place, laid.record);
    }
    throw new Error('what is known of access could not be written: others write there all the time');
  }

  /** Whatever fails here is tried again with the next comparison; the books of this warden hold meanwhile. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failure = '';
    } catch (error) {
      this.#sequence = null;
      if (error instanceof SharedMemoryAway) return;
      const reason = error instanceof Error ? error.message : String(error);
      // Once, not every second.
      if (reason !== this.#failure) {
        this.#options.log.error({ err: error }, 'who may enter could not be shared with the other wardens');
      }
      this.#failure = reason;
      if (reason.startsWith('WRONGTYPE')) await this.#clear();
    }
  }

  /** Something else lies where the records belong: they are laid anew. */
  async #clear(): Promise<void> {
    this.#laid.clear();
    await this.#send(['DEL', this.#key]).catch(() => undefined);
  }

  #warnOfStrangers(count: number): void {
    if (count > this.#strangers) {
      this.#options.log.warn(
        { count },
        'entries of access in the shared memory are not of this fleet and are left alone',
      );
    }
    this.#strangers = count;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
