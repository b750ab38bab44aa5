import type { ModelRegistry } from '#server/router/registry.ts';
import type { Store } from '#server/store/store.ts';

/** Synthetic agent sessions against the embedded fleet; absent where the models are real engines. */
export type Demo = {
  sessions(): number;
  /** Brings the number of running sessions to `count`; those too many leave at once, in the middle of a turn if need be. */
  setSessions(count: number): void;
};

/** What the console's API answers from. */
export type ApiContext = {
  readonly version: string;
  readonly startedAt: number;
  readonly registry: ModelRegistry;
  readonly store: Store;
  readonly demo: Demo | null;
  /** Things a person should know that no model's state says (an upstream that has not answered yet). */
  readonly warnings: () => readonly { readonly code: string; readonly message: string }[];
  readonly now: () => number;
};
