import type { Decision, RoutedRequest } from '#lib/routing/types.ts';

/** One request that holds a place on a replica now. Times are ms since the epoch. */
export type InFlightRequest = {
  /** Grows with every request of this process; the same for as long as the request lives. */
  readonly id: number;
  readonly startedAt: number;
  readonly client: string | null;
  readonly request: RoutedRequest;
  readonly decision: Decision;
  /** Null where the engine chooses. */
  readonly replica: number | null;
  /** When the first byte of the answer's body was sent on; null while the engine works on the prompt. */
  readonly firstByteAt: number | null;
};

type Entry = { -readonly [Field in keyof InFlightRequest]: InFlightRequest[Field] };

/** What a place tells of its request. Calls after `ended` do nothing. */
export type Flight = {
  /** It has a place on another replica now. */
  movedTo(decision: Decision, replica: number | null): void;
  firstByte(at: number): void;
  ended(): void;
};

export type InFlightRequests = {
  started(fields: Omit<InFlightRequest, 'id' | 'firstByteAt'>): Flight;
  /** Oldest first. */
  all(): readonly InFlightRequest[];
};

/** The requests of one model that hold a place, from the moment they took it until they give it back. */
export function createInFlightRequests(): InFlightRequests {
  const entries = new Map<number, Entry>();
  let last = 0;
  return {
    started(fields) {
      last += 1;
      const entry: Entry = { ...fields, id: last, firstByteAt: null };
      entries.set(entry.id, entry);
      return {
        movedTo(decision, replica) {
          entry.decision = decision;
          entry.replica = replica;
        },
        firstByte(at) {
          entry.firstByteAt ??= at;
        },
        ended() {
          entries.delete(entry.id);
        },
      };
    },
    all: () => [...entries.values()],
  };
}
