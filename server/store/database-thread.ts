import { Worker } from 'node:worker_threads';
import { StoreError } from './store-error.ts';
import type { Failure, WorkerMessage, WorkerOptions } from './worker-protocol.ts';

export type ThreadOptions = {
  /** The bundled worker.ts. */
  readonly workerUrl: URL;
  readonly options: WorkerOptions;
  readonly onMessage: (message: WorkerMessage<never>) => void;
  /** The thread had opened its database and ended, for `reason`. */
  readonly onEnd: (reason: string) => void;
};

export type DatabaseThread = {
  readonly worker: Worker;
  /** Why everything is kept in memory; null where the file is used. */
  readonly inMemory: Failure | null;
};

/**
 * Starts a thread; resolves when its database is open. Rejects with a `StoreError`: `in_use` where another process has
 * the file, `unavailable` where the thread cannot start.
 */
export function startThread({ workerUrl, options, onMessage, onEnd }: ThreadOptions): Promise<DatabaseThread> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl, { workerData: options });
    let isOpen = false;
    let reason = 'it ended';
    worker.on('message', (message: WorkerMessage<never>) => {
      if (message.kind === 'opened') {
        isOpen = true;
        resolve({ worker, inMemory: message.memory });
      } else if (message.kind === 'in_use') {
        reject(new StoreError('in_use', message.message));
      } else {
        onMessage(message);
      }
    });
    worker.on('error', (error: unknown) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      if (isOpen) onEnd(reason);
      else reject(new StoreError('unavailable', `The database thread did not start: ${reason}`));
    });
  });
}
