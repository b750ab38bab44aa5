import { createClient } from '@redis/client';
import { z } from 'zod';
import type { SharedAddress, SharedNode } from './shared-url.ts';

const ASK_AGAIN_MS = 1000;
const SWITCHED = '+switch-master';
const masterReply = z.tuple([z.string(), z.coerce.number()]).nullable();

type SentinelOptions = {
  readonly address: SharedAddress;
  /** How a sentinel is reached, without its host and port. */
  readonly connection: object & { readonly socket: object };
  /** Another server is the master now; told once. */
  readonly onMoved: () => void;
};

/**
 * Asks the sentinels which server is the master, and listens at the one that answered: a master that is replaced lives on
 * for seconds and takes writes. A sentinel that is gone is no reason to leave the master; another one is asked.
 */
export class SentinelMaster {
  readonly #options: SentinelOptions;
  #sentinel: { destroy(): void } | null = null;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: SentinelOptions) {
    this.#options = options;
  }

  /** Asks one after the other; the first that knows the master is believed. Rejects where none does. */
  async find(): Promise<SharedNode> {
    let failure: unknown = null;
    for (const node of this.#options.address.nodes) {
      try {
        return await this.#ask(node);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#sentinel?.destroy();
    this.#sentinel = null;
  }

  async #ask({ host, port }: SharedNode): Promise<SharedNode> {
    const { connection, address, onMoved } = this.#options;
    const sentinel = createClient({ ...connection, socket: { ...connection.socket, host, port } });
    const letGo = (): void => {
      if (sentinel.isOpen) sentinel.destroy();
    };
    let master: SharedNode | null = null;
    sentinel.on('error', () => {
      // Before it has answered, what is waited for tells of it.
      if (master !== null) this.#askAgain(master);
    });
    try {
      await sentinel.connect();
      const question = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.masterName ?? ''];
      const answer = masterReply.parse(await sentinel.sendCommand(question));
      if (answer === null) throw new Error(`the sentinel at ${host}:${port} knows no master of that name`);
      await sentinel.subscribe(SWITCHED, (message) => {
        if (message.startsWith(`${address.masterName} `) && !this.#isClosed) onMoved();
      });
      if (this.#isClosed) throw new Error('not needed any more');
      master = { host: answer[0], port: answer[1] };
      this.#sentinel = { destroy: letGo };
      return master;
    } catch (error) {
      letGo();
      throw error;
    }
  }

  #askAgain(before: SharedNode): void {
    if (this.#isClosed) return;
    this.#sentinel?.destroy();
    this.#sentinel = null;
    const ask = async (): Promise<void> => {
      try {
        const { host, port } = await this.find();
        if ((host !== before.host || port !== before.port) && !this.#isClosed) this.#options.onMoved();
      } catch {
        // None can be asked: the master is still there for all that is known, or its own connection tells.
        this.#askAgain(before);
      }
    };
    this.#retry = setTimeout(() => void ask(), ASK_AGAIN_MS).unref();
  }
}
