import type { EventRow, ReplicaSampleRow, RequestRow, RouterMemory } from './store.ts';

/** What is written in one transaction. `id` tells a batch that is sent again. */
export type Batch = {
  readonly id: string;
  readonly requests: readonly RequestRow[];
  readonly samples: readonly ReplicaSampleRow[];
  readonly events: readonly EventRow[];
  /** By model. */
  readonly memories: ReadonlyMap<string, RouterMemory>;
};

/** Rows that the tables refused (a mistake in the row, not of the disk), and the first reason. */
export type BatchResult = { readonly refused: number; readonly reason: string | null };
