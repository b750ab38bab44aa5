import type { Database } from './database.ts';
import type { Retention } from './retention.ts';

/** What the database thread is started with. */
export type WorkerOptions = { readonly file: string; readonly migrationsDir: string; readonly retention: Retention };

export type CallName = Exclude<keyof Database, 'retain'>;

/** A call from the main thread; each gets one answer with its `id`. */
export type WorkerCall = {
  [Name in CallName]: { readonly id: number; readonly call: Name; readonly args: Parameters<Database[Name]> };
}[CallName];

/** Why something failed, in a form that can be posted. `code`: SQLite's or the file system's, where it has one. */
export type Failure = { readonly code: string | null; readonly message: string };

/**
 * What the thread says. `opened` or `in_use` comes first; `memory` tells why the file could not be used, in which case
 * everything is kept in memory. `Value`: what is known of an answer's value; the call it answers fixed its type.
 */
export type WorkerMessage<Value> =
  | { readonly kind: 'opened'; readonly memory: Failure | null }
  | { readonly kind: 'in_use'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly value: Value }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'upkeep_failed'; readonly failure: Failure };
