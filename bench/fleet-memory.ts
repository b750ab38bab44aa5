import type { Script, SharedConnection } from '#server/fleet/shared-connection.ts';
import { BEAT, REPLACE_HOME, REPORT_LOAD, RESET_LOAD } from '#server/fleet/shared-scripts.ts';

/**
 * The shared memory as an object of this process, for virtual time: it understands what server/fleet says to Valkey and
 * counts it. Nothing expires in it.
 */
export class FleetMemory implements SharedConnection {
  readonly isUp = true;
  commands = 0;
  readonly #strings = new Map<string, string>();
  readonly #hashes = new Map<string, Map<string, number>>();

  async send(_key: string, args: readonly string[]): Promise<unknown> {
    this.commands += 1;
    const [command, key = '', ...rest] = args;
    if (command === 'SET') return this.#set(key, rest);
    if (command === 'EXPIRE') return Number(this.#strings.has(key));
    if (command === 'DEL') return Number(this.#strings.delete(key));
    if (command === 'HMGET') return rest.map((field) => this.#hashes.get(key)?.get(field)?.toString() ?? null);
    throw new Error(`the fleet said ${command}, which the model of the memory does not know`);
  }

  async run(script: Script, keys: readonly [string, ...string[]], args: () => readonly string[]): Promise<unknown> {
    this.commands += 1;
    const [all, of = ''] = keys;
    const [first = '', second = ''] = args();
    if (script === REPORT_LOAD) return this.#report(all, of, first, Number(second));
    if (script === REPLACE_HOME) return this.#replace(all, first, second);
    if (script === RESET_LOAD || script === BEAT) return null;
    throw new Error('a script that the model of the memory does not know');
  }

  close(): void {}

  get homes(): number {
    return this.#strings.size;
  }

  #set(key: string, [value = '', ...options]: readonly string[]): string | null {
    const before = this.#strings.get(key) ?? null;
    if (before === null || !options.includes('NX')) this.#strings.set(key, value);
    return options.includes('GET') ? before : 'OK';
  }

  #replace(key: string, expected: string, next: string): string {
    const current = this.#strings.get(key);
    if (current !== undefined && current !== expected) return current;
    this.#strings.set(key, next);
    return next;
  }

  #report(all: string, of: string, field: string, count: number): number {
    const own = this.#hash(of);
    const sums = this.#hash(all);
    const sum = (sums.get(field) ?? 0) + count - (own.get(field) ?? 0);
    own.set(field, count);
    sums.set(field, sum);
    return sum;
  }

  #hash(key: string): Map<string, number> {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const made = new Map<string, number>();
    this.#hashes.set(key, made);
    return made;
  }
}
