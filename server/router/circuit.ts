/** Requests in a row that have to break off until the replica is left alone. */
const FAILURES_UNTIL_OPEN = 3;
/** From opening, or from a probe that failed, to the next probe. */
const PROBE_AFTER_MS = 5_000;

/** A request on its way to the replica. It may break off more than once, where it is sent again. */
export type WatchedRequest = {
  /** The head of an answer came, whatever its status: vLLM before 0.28 says 500 to requests that are merely wrong. */
  answered(): void;
  /** The connection died or fell silent, before or in the middle of the answer. */
  broke(now: number): void;
  /** It is over; `complete` where the whole answer came. */
  ended(complete: boolean): void;
};

/**
 * Leaves a replica alone that breaks off requests though its polls are well. Closed until three requests in a row
 * broke off; then open, except that one request at a time may try it; closed again by the first answer. Polls say
 * nothing here: a process may tell its metrics with its engine gone.
 */
export type Circuit = {
  readonly isOpen: boolean;
  /** Open, and due for a request that tries it. */
  isProbeDue(now: number): boolean;
  /** A request goes there; while the circuit is open it is the probe. */
  watch(): WatchedRequest;
  /** The replica is another one now: its past is forgotten. */
  reset(): void;
};

export function createCircuit(): Circuit {
  let failures = 0;
  let openedAt: number | null = null;
  let probe: WatchedRequest | null = null;

  const close = (failuresLeft: number): void => {
    failures = failuresLeft;
    openedAt = null;
    probe = null;
  };

  return {
    get isOpen() {
      return openedAt !== null;
    },
    isProbeDue: (now) => openedAt !== null && probe === null && now - openedAt >= PROBE_AFTER_MS,
    watch() {
      const watched: WatchedRequest = {
        answered() {
          // On probation: until an answer is complete, the next one that breaks off opens it again.
          if (openedAt !== null) close(FAILURES_UNTIL_OPEN - 1);
        },
        broke(now) {
          failures += 1;
          if (openedAt !== null ? probe === watched : failures >= FAILURES_UNTIL_OPEN) openedAt = now;
          if (probe === watched) probe = null;
        },
        ended(complete) {
          if (complete) close(0);
          else if (probe === watched) probe = null;
        },
      };
      if (openedAt !== null) probe ??= watched;
      return watched;
    },
    reset: () => close(0),
  };
}
