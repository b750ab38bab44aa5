import { z } from 'zod';
import { hashFields } from './hash-fields.ts';
import { type SharedConnection, SharedMemoryAway } from './shared-connection.ts';
import { keyUseKey } from './shared-keys.ts';
import type { Vault } from './vault.ts';

/** Counts of a key with limits, as `server/access` keeps them; the beginning of its minute by this warden's clock. */
export type CountedKey = {
  readonly keyHash: string;
  readonly inFlight: number;
  readonly minuteStart: number;
  readonly requests: number;
};

export type KeyUseHost = {
  /** True while there are keys with limits. */
  isNeeded(): boolean;
  counts(now: number): readonly CountedKey[];
  hear(others: readonly CountedKey[]): void;
  /** The others cannot be heard: each has its share of a limit, as one of so many. */
  share(wardens: number): void;
};

export type KeyUseOptions = {
  readonly host: KeyUseHost;
  readonly vault: Vault;
  readonly warden: string;
  readonly connection: () => SharedConnection;
  /** This warden's clock, and by how much the shared memory's is ahead; both in ms. */
  readonly now: () => number;
  readonly aheadMs: () => number;
};

/** What was told longer ago says nothing of now: its warden may be gone. */
const STALE_AFTER_MS = 6000;
const TELL_AGAIN_AFTER_MS = 1000;
const KEPT_SECONDS = 60;

const count = z.int().min(0).max(1_000_000_000);
const told = z.object({
  told_at_ms: z.number(),
  keys: z.array(z.object({ key_hash: z.string(), in_flight: count, minute_start_ms: z.number(), requests: count })),
});

/** Tells the other wardens what this one counts of keys with limits, and hears what they do. */
export class KeyUse {
  readonly #options: KeyUseOptions;
  readonly #key: string;
  #said = '';
  #saidAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;

  constructor(options: KeyUseOptions) {
    this.#options = options;
    this.#key = keyUseKey(options.vault.id);
  }

  /** To be called a few times a second. */
  async keepUp(): Promise<void> {
    const { connection, host } = this.#options;
    if (!connection().isUp || this.#isBusy || !host.isNeeded()) return;
    this.#isBusy = true;
    try {
      await Promise.all([this.#tell(), this.#hear()]);
    } finally {
      this.#isBusy = false;
    }
  }

  onAway(wardens: number): void {
    this.#options.host.share(wardens);
    this.#said = '';
  }

  async forget(warden: string): Promise<void> {
    await this.#send(['HDEL', this.#key, warden]);
  }

  async #tell(): Promise<void> {
    const { host, now, aheadMs, vault, warden } = this.#options;
    const keys = host.counts(now()).map(({ keyHash, inFlight, minuteStart, requests }) => ({
      key_hash: keyHash,
      in_flight: inFlight,
      minute_start_ms: minuteStart + aheadMs(),
      requests,
    }));
    const isKnown = JSON.stringify(keys.map(({ minute_start_ms: _, ...rest }) => rest)) === this.#said;
    if (isKnown && (keys.length === 0 || now() - this.#saidAt < TELL_AGAIN_AFTER_MS)) return;
    this.#said = JSON.stringify(keys.map(({ minute_start_ms: _, ...rest }) => rest));
    this.#saidAt = now();
    const text = JSON.stringify({ told_at_ms: now() + aheadMs(), keys });
    await this.#send(['HSET', this.#key, warden, vault.seal(placeOf(warden), text)]);
    await this.#send(['EXPIRE', this.#key, String(KEPT_SECONDS)]);
  }

  async #hear(): Promise<void> {
    const { host, vault, warden, now, aheadMs } = this.#options;
    const others: CountedKey[] = [];
    for (const [from, sealed] of hashFields(await this.#send(['HGETALL', this.#key]))) {
      const opened = from === warden ? null : vault.open(placeOf(from), sealed);
      const parsed = opened === null ? undefined : told.safeParse(parseJson(opened)).data;
      if (parsed === undefined || now() + aheadMs() - parsed.told_at_ms > STALE_AFTER_MS) continue;
      for (const { key_hash, in_flight, minute_start_ms, requests } of parsed.keys) {
        others.push({
          keyHash: key_hash,
          inFlight: in_flight,
          requests,
          // Not in the future, for what the clocks' comparison is off by.
          minuteStart: Math.min(now(), minute_start_ms - aheadMs()),
        });
      }
    }
    host.hear(others);
  }

  async #send(args: readonly string[]): Promise<unknown> {
    try {
      return await this.#options.connection().send(this.#key, args);
    } catch (error) {
      // Something else lies there: it is laid anew.
      if (error instanceof Error && !(error instanceof SharedMemoryAway) && error.message.startsWith('WRONGTYPE')) {
        await this.#options.connection().send(this.#key, ['DEL', this.#key]);
      }
      throw error;
    }
  }
}

const placeOf = (warden: string): string => `use ${warden}`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
