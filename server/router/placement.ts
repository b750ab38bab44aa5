import type { Decision } from '#lib/routing/types.ts';
import type { Usage } from '#lib/usage/usage.ts';

/** Where a request goes: the engine's URL, and the rank to pin there (null: the engine's only one, or its choice). */
export type Target = { readonly url: string; readonly rank: number | null };

/** A request's place, taken from the moment of the decision until `release`. */
export type Placement = {
  readonly decision: Decision;
  /** The replica that works on it; null where the engine chooses. */
  readonly replica: number | null;
  readonly target: Target;
  /** Says that the head of an answer came. */
  answered(): void;
  /** Says that the first byte of the answer's body was sent on, at `at`. */
  firstByte(at: number): void;
  /** Says that the first byte of an answer came that is sent on as it is made. */
  answering(): void;
  /** Says that the connection died or fell silent. True: leave the replica alone, it does so again and again. */
  broke(message: string): boolean;
  /** Gives the place back, `complete` where the whole answer came, with what the engine counted. */
  release(complete: boolean, usage: Usage): void;
  /** Gives the place back as if the request had never had one: nothing was sent, and it will ask again. */
  withdraw(): void;
  /** Says that no connection to the target came about, so that its health is looked at now and not at the next poll. */
  unreachable(): void;
  /** Gives this place back and takes one on another replica; null where there is none. */
  failOver(): Placement | null;
};
