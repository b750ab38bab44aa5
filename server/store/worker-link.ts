import type { Worker } from 'node:worker_threads';
import type { Database } from './database.ts';
import { startThread } from './database-thread.ts';
import { createPendingCalls } from './pending-calls.ts';
import { StoreError } from './store-error.ts';
import type { StoreLog } from './store-log.ts';
import type { CallName, Failure, WorkerMessage, WorkerOptions } from './worker-protocol.ts';

/** The main thread's end of the database thread. */
export type WorkerLink = {
  /** Rejects with a `DatabaseFailure`, or with a `StoreError` `unavailable` where the thread gave no answer. */
  ask<Name extends CallName>(call: Name, ...args: Parameters<Database[Name]>): Promise<ReturnType<Database[Name]>>;
  /** Why everything is kept in memory; null where the file is used. */
  inMemory(): Failure | null;
  /** A sentence while the thread is down; null while it runs. */
  trouble(): string | null;
  close(): Promise<void>;
};

/** A call that the database could not carry out. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A thread that dies is started again, but not for ever: it may die of what it is asked. */
const MAX_RESTARTS = 5;
const RESTARTS_WITHIN_MS = 600_000;
const RESTART_AFTER_MS = 500;
/** A disk that hangs gives no error. */
const ANSWER_WITHIN_MS = 30_000;
const CLOSE_WITHIN_MS = 5_000;

export type WorkerLinkOptions = { readonly workerUrl: URL; readonly options: WorkerOptions; readonly log: StoreLog };

/** Starts the database thread; rejects with a `StoreError` where another process has the file or it cannot start. */
export async function openWorkerLink({ workerUrl, options, log }: WorkerLinkOptions): Promise<WorkerLink> {
  const calls = createPendingCalls();
  let restarts: readonly number[] = [];
  let restarting: NodeJS.Timeout | undefined;
  let thread: Worker | null = null;
  let inMemory: Failure | null = null;
  let trouble: string | null = null;
  let lastId = 0;
  let isClosing = false;

  await start();
  return { ask, inMemory: () => inMemory, trouble: () => trouble, close };

  async function start(): Promise<void> {
    const started = await startThread({ workerUrl, options, onMessage, onEnd });
    if (isClosing) void started.worker.terminate();
    thread = started.worker;
    inMemory = started.inMemory;
    trouble = null;
  }

  function onMessage(message: WorkerMessage<never>): void {
    if (message.kind === 'answer') calls.resolve(message.id, message.value);
    if (message.kind === 'failed') calls.reject(message.id, new DatabaseFailure(message.failure));
    if (message.kind === 'upkeep_failed')
      log.warn(message.failure, 'the upkeep of the database failed; it is tried again');
  }

  function onEnd(reason: string): void {
    thread = null;
    calls.rejectAll(new StoreError('unavailable', `The database thread ended: ${reason}`));
    if (!isClosing) restart(reason);
  }

  function restart(reason: string): void {
    restarts = restarts.filter((at) => at > Date.now() - RESTARTS_WITHIN_MS);
    if (restarts.length === MAX_RESTARTS) {
      trouble = `Statistics are not being saved: the database thread ended again and again (${reason}). Start LM Warden again; the log says more.`;
      log.error({ reason }, 'the database thread ended too often and is not started again');
      return;
    }
    restarts = [...restarts, Date.now()];
    trouble = `The database thread ended (${reason}) and is being started again. Statistics wait in memory.`;
    log.error({ reason }, 'the database thread ended and is started again');
    restarting = setTimeout(() => {
      start().catch((error: unknown) => restart(error instanceof Error ? error.message : String(error)));
    }, RESTART_AFTER_MS);
  }

  function ask<Name extends CallName>(
    call: Name,
    ...args: Parameters<Database[Name]>
  ): Promise<ReturnType<Database[Name]>> {
    return send(call, args, ANSWER_WITHIN_MS);
  }

  async function send<Value>(call: CallName, args: readonly unknown[], withinMs: number): Promise<Value> {
    if (thread === null) throw new StoreError('unavailable', 'The database thread is not running.');
    lastId += 1;
    thread.postMessage({ id: lastId, call, args });
    return calls.wait<Value>(lastId, withinMs);
  }

  async function close(): Promise<void> {
    isClosing = true;
    clearTimeout(restarting);
    const closing = thread;
    if (closing === null) return;
    try {
      await send('close', [], CLOSE_WITHIN_MS);
      await closing.terminate();
    } catch (error) {
      log.warn({ err: error }, 'the database was not closed in order; nothing that was saved is lost');
      // Not awaited: a thread that hangs in a call to the disk does not end.
      void closing.terminate();
    }
  }
}
