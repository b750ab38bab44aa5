import { randomUUID } from 'node:crypto';
import type { Batch } from './batch.ts';
import { createBoundedBuffer } from './bounded-buffer.ts';
import { mergedMemory } from './merged-memory.ts';
import type { EventRow, ReplicaSampleRow, RequestRow, RouterMemory } from './store.ts';

/** How many rows wait in memory at most, by kind; the oldest give way. */
export type BufferLimits = { readonly requests: number; readonly samples: number; readonly events: number };

export const DEFAULT_LIMITS: BufferLimits = { requests: 20_000, samples: 20_000, events: 2_000 };

/** A larger batch would hold up the reads behind it. */
const ROWS_A_BATCH = 1000;

/** What waits to be written. */
export type BatchBuffer = {
  request(row: RequestRow): void;
  sample(row: ReplicaSampleRow): void;
  event(row: EventRow): void;
  /** Of a model one waits, with all that came since the last batch. */
  memory(model: string, memory: RouterMemory): void;
  waitingMemory(model: string): RouterMemory | undefined;
  /** Takes out the next batch; null where nothing waits. */
  next(): Batch | null;
  /** How many rows wait. */
  size(): number;
  /** How many rows had to give way so far. */
  dropped(): number;
};

export function createBatchBuffer(limits: BufferLimits): BatchBuffer {
  const requests = createBoundedBuffer<RequestRow>(limits.requests);
  const samples = createBoundedBuffer<ReplicaSampleRow>(limits.samples);
  const events = createBoundedBuffer<EventRow>(limits.events);
  const writer = randomUUID();
  let memories = new Map<string, RouterMemory>();
  let batches = 0;

  return {
    request: requests.push,
    sample: samples.push,
    event: events.push,
    memory: (model, memory) => void memories.set(model, mergedMemory(memories.get(model), memory)),
    waitingMemory: (model) => memories.get(model),
    next() {
      if (requests.size() + samples.size() + events.size() + memories.size === 0) return null;
      batches += 1;
      const batch = {
        id: `${writer} ${batches}`,
        requests: requests.take(ROWS_A_BATCH),
        samples: samples.take(ROWS_A_BATCH),
        events: events.take(ROWS_A_BATCH),
        memories,
      };
      memories = new Map();
      return batch;
    },
    size: () => requests.size() + samples.size() + events.size(),
    dropped: () => requests.dropped() + samples.dropped() + events.dropped(),
  };
}
