import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { SharedAddress } from './shared-url.ts';
import { createValkeyClient, type ValkeyClient } from './valkey-client.ts';

/** A script of the server's: runs as one step there. Its first key decides the node of a cluster. */
export type Script = { readonly text: string; readonly sha1: string };

export const script = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/** The shared memory is not reachable, or did not answer in time. */
export class SharedMemoryAway extends Error {
  override readonly name = 'SharedMemoryAway';
}

export type SharedConnection = {
  readonly isUp: boolean;
  /** Rejects with `SharedMemoryAway` where it cannot be asked, or with the server's own error. */
  send(key: string, args: readonly string[]): Promise<unknown>;
  /** `args` is asked whenever it is sent, which may be twice: what is told must not be older than what was told before. */
  run(script: Script, keys: readonly [string, ...string[]], args: () => readonly string[]): Promise<unknown>;
  close(): void;
};

export type SharedConnectionOptions = {
  readonly address: SharedAddress;
  readonly channel: string;
  /** Written to see that it takes writes. */
  readonly probeKey: string;
  readonly onMessage: (message: string) => void;
  /** Connected and listening: whatever was published before has been missed. */
  readonly onUp: () => void;
  readonly onAway: (reason: string) => void;
  readonly log: Logger;
};

/** A request in front of which an answer is waited for cannot wait longer: then the memory counts as away. */
const ANSWER_WITHIN_MS = 500;
const CHECK_EVERY_MS = 1000;
const RECONNECT_AFTER_MS = 500;

/** Keeps a connection to the shared memory. Its absence is an ordinary state, never an error of a request. */
export function connectShared(options: SharedConnectionOptions): SharedConnection {
  const link = new Link(options);
  link.open();
  return link;
}

class Link implements SharedConnection {
  isUp = false;
  readonly #options: SharedConnectionOptions;
  #client: ValkeyClient | null = null;
  #retry: NodeJS.Timeout | null = null;
  #check: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: SharedConnectionOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.#isClosed) return;
    const client = createValkeyClient(this.#options.address, (error) => this.#lost(client, reasonOf(error)));
    this.#client = client;
    this.#listen(client).catch((error: unknown) => this.#lost(client, reasonOf(error)));
  }

  async send(key: string, args: readonly string[]): Promise<unknown> {
    const client = this.#client;
    if (client === null || !this.isUp) throw new SharedMemoryAway('not connected');
    return this.#answered(client, client.send(key, args));
  }

  async run(
    { text, sha1 }: Script,
    keys: readonly [string, ...string[]],
    args: () => readonly string[],
  ): Promise<unknown> {
    const count = String(keys.length);
    try {
      return await this.send(keys[0], ['EVALSHA', sha1, count, ...keys, ...args()]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.send(keys[0], ['EVAL', text, count, ...keys, ...args()]);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.isUp = false;
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#check !== null) clearInterval(this.#check);
    this.#client?.destroy();
    this.#client = null;
  }

  async #listen(client: ValkeyClient): Promise<void> {
    await within(client.connect(), 2 * CHECK_EVERY_MS + ANSWER_WITHIN_MS);
    await within(client.subscribe(this.#options.channel, this.#options.onMessage), CHECK_EVERY_MS);
    // One that only answers questions, as when it is full, is no memory.
    await within(client.send(this.#options.probeKey, ['SET', this.#options.probeKey, '', 'EX', '60']), CHECK_EVERY_MS);
    if (this.#client !== client) return client.destroy();
    this.isUp = true;
    // A cable that was pulled tells nobody: only an answer that stays away does.
    this.#check = setInterval(() => {
      this.send('ping', ['PING']).catch(() => undefined);
    }, CHECK_EVERY_MS).unref();
    this.#options.onUp();
  }

  /** The answer, or the memory is away from now on. An error of the server's own is an answer. */
  async #answered(client: ValkeyClient, asked: Promise<unknown>): Promise<unknown> {
    try {
      return await within(asked, ANSWER_WITHIN_MS);
    } catch (error) {
      if (isAnswer(error)) throw error;
      this.#lost(client, reasonOf(error));
      throw new SharedMemoryAway('no answer', { cause: error });
    }
  }

  #lost(client: ValkeyClient, reason: string): void {
    if (this.#client !== client) return;
    this.#client = null;
    const wasUp = this.isUp;
    this.isUp = false;
    if (this.#check !== null) clearInterval(this.#check);
    client.destroy();
    if (this.#isClosed) return;
    this.#options.log[wasUp ? 'warn' : 'debug']({ reason }, 'the shared memory is away');
    this.#options.onAway(reason);
    this.#retry = setTimeout(() => this.open(), RECONNECT_AFTER_MS).unref();
  }
}

/** Of a server that cannot be asked, or takes no writes: full, unable to save, a replica, too few replicas. */
const AWAY = /^(LOADING|MASTERDOWN|CLUSTERDOWN|OOM|MISCONF|READONLY|NOREPLICAS) /;

/** Replies of the server that begin with an upper-case word (`WRONGTYPE …`, `NOSCRIPT …`) are answers. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && /^[A-Z]{2,} /.test(error.message) && !AWAY.test(error.message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Rejects where there is no answer within about `ms`. In two steps: after a moment in which this process was too busy to
 * read, a timer that is long due would be heard before the answer that has long arrived.
 */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new SharedMemoryAway(`no answer within ${ms} ms`));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, ms / 2);
    }, ms / 2);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
