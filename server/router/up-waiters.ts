/** Whether one that waits may go on; null: it is to wait longer. */
export type UpCheck = () => boolean | null;

/** Requests that wait for an engine to come back. */
export type UpWaiters = {
  /** Resolves with what `check` says as soon as that is not null, and false after `timeoutMs` or with the signal. */
  wait(check: UpCheck, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** Something has changed: all that wait look again. */
  wake(): void;
  readonly size: number;
};

export function createUpWaiters(): UpWaiters {
  const waiting = new Set<() => void>();
  return {
    wait(check, timeoutMs, signal) {
      if (signal.aborted) return Promise.resolve(false);
      const now = check();
      if (now !== null) return Promise.resolve(now);
      return new Promise((resolve) => {
        const finish = (up: boolean): void => {
          waiting.delete(look);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve(up);
        };
        const look = (): void => {
          const said = check();
          if (said !== null) finish(said);
        };
        const onAbort = (): void => finish(false);
        const timer = setTimeout(() => finish(false), timeoutMs);
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(look);
      });
    },
    wake() {
      for (const look of [...waiting]) look();
    },
    get size() {
      return waiting.size;
    },
  };
}
