import { StoreError } from './store-error.ts';

/** Calls that wait for their answer. */
export type PendingCalls = {
  /** The promise of call `id`; rejects with `unavailable` where no answer comes in time. */
  wait<Value>(id: number, withinMs: number): Promise<Value>;
  /** The type of a value was fixed where its call was sent. */
  resolve(id: number, value: never): void;
  reject(id: number, error: Error): void;
  rejectAll(error: Error): void;
};

type Waiting = {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

export function createPendingCalls(): PendingCalls {
  const waiting = new Map<number, Waiting>();

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id);
    clearTimeout(found?.timer);
    waiting.delete(id);
    return found;
  }

  return {
    wait<Value>(id: number, withinMs: number) {
      return new Promise<Value>((resolve, reject) => {
        const late = () => {
          const seconds = Math.round(withinMs / 1000);
          take(id)?.reject(new StoreError('unavailable', `The database did not answer within ${seconds} seconds.`));
        };
        waiting.set(id, { resolve, reject, timer: setTimeout(late, withinMs) });
      });
    },
    resolve: (id, value) => take(id)?.resolve(value),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll(error) {
      for (const id of [...waiting.keys()]) take(id)?.reject(error);
    },
  };
}
