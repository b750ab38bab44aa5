/** Requests that wait for an engine to come back. */
export type UpWaiters = {
  /** Resolves true when `wake` is called, false after `timeoutMs` or when the signal aborts. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** A replica is up: all that wait may go on. */
  wake(): void;
  readonly size: number;
};

export function createUpWaiters(): UpWaiters {
  const waiting = new Set<(up: boolean) => void>();
  return {
    wait(timeoutMs, signal) {
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const finish = (up: boolean): void => {
          waiting.delete(finish);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve(up);
        };
        const onAbort = (): void => finish(false);
        const timer = setTimeout(() => finish(false), timeoutMs);
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(finish);
      });
    },
    wake() {
      for (const finish of [...waiting]) finish(true);
    },
    get size() {
      return waiting.size;
    },
  };
}
