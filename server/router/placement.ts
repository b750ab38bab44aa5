import type { Decision } from '#lib/routing/types.ts';

/** Where a request goes: the engine's URL, and the rank to pin there (null: the engine's only one, or its choice). */
export type Target = { readonly url: string; readonly rank: number | null };

/** A request's place, taken from the moment of the decision until `release`. */
export type Placement = {
  readonly decision: Decision;
  /** The replica that works on it; null where the engine chooses. */
  readonly replica: number | null;
  readonly target: Target;
  /** Gives the place back; further calls do nothing. */
  release(): void;
  /** Says that no connection to the target came about, so that its health is looked at now and not at the next poll. */
  unreachable(): void;
  /** Gives this place back and takes one on another replica; null where there is none. */
  failOver(): Placement | null;
};
