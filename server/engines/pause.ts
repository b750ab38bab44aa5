/** A wait that can be cut short. It does not keep the process alive. */
type Pause = { wait(ms: number): Promise<void>; end(): void };

/** One wait at a time; `end` does nothing where none is running. */
export function createPause(): Pause {
  let finish = () => {};
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        finish = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => finish(),
  };
}
