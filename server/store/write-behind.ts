import { randomUUID } from 'node:crypto';
import type { Batch, BatchResult } from './batch.ts';
import { createBoundedBuffer } from './bounded-buffer.ts';
import { isStorageFailure } from './sqlite-code.ts';
import type { EventRow, ReplicaSampleRow, RequestRow, RouterMemory } from './store.ts';
import { StoreError } from './store-error.ts';
import type { StoreLog } from './store-log.ts';
import { type Trouble, troubleOf } from './trouble.ts';
import { DatabaseFailure } from './worker-link.ts';

/** How many rows wait in memory at most, by kind; the oldest give way. */
export type BufferLimits = { readonly requests: number; readonly samples: number; readonly events: number };

export const DEFAULT_LIMITS: BufferLimits = { requests: 20_000, samples: 20_000, events: 2_000 };

const ROWS_A_BATCH = 1000;
const RETRY_FIRST_MS = 1000;
const RETRY_LAST_MS = 15_000;

export type WriteBehindOptions = {
  readonly file: string;
  readonly write: (batch: Batch) => Promise<BatchResult>;
  readonly limits: BufferLimits;
  readonly log: StoreLog;
};

/** Rows wait here until they are written. Nothing here throws or rejects: a full disk must never reach a request. */
export type WriteBehind = {
  request(row: RequestRow): void;
  sample(row: ReplicaSampleRow): void;
  event(row: EventRow): void;
  memory(model: string, memory: RouterMemory): void;
  /** Writes what waits; resolves when that is done or failed. */
  flush(): Promise<void>;
  /** To be called every second: writes what waits unless a retry is better left for later. */
  tick(now: number): void;
  /** A sentence while writing fails. */
  warning(): string | null;
};

type Failing = { readonly trouble: Trouble; readonly attempts: number; readonly retryAt: number };

export function createWriteBehind({ file, write, limits, log }: WriteBehindOptions): WriteBehind {
  const requests = createBoundedBuffer<RequestRow>(limits.requests);
  const samples = createBoundedBuffer<ReplicaSampleRow>(limits.samples);
  const events = createBoundedBuffer<EventRow>(limits.events);
  const writer = randomUUID();
  let memories = new Map<string, RouterMemory>();
  let batches = 0;
  /** A batch that failed is sent again as it was, with its id: it may have been written and the answer lost. */
  let unwritten: Batch | null = null;
  let failing: Failing | null = null;
  let discarded = 0;
  let lostBefore = 0;
  let isWriting = false;
  let queue = Promise.resolve();

  const lost = () => requests.dropped() + samples.dropped() + events.dropped() + discarded - lostBefore;

  return {
    request: (row) => requests.push(row),
    sample: (row) => samples.push(row),
    event: (row) => events.push(row),
    memory: (model, memory) => void memories.set(model, memory),
    flush,
    tick(now) {
      if (!isWriting && (failing === null || now >= failing.retryAt)) void flush();
    },
    warning() {
      if (failing === null) return null;
      const { cause, remedy } = failing.trouble;
      const waiting = 'They wait in memory; if this lasts, the oldest are lost.';
      const gone = lost() > 0 ? ` ${lost()} rows were lost so far.` : '';
      return `Statistics are not being saved to ${file}: ${cause}. ${waiting}${gone} ${remedy}`;
    },
  };

  function flush(): Promise<void> {
    queue = queue.then(writeAll);
    return queue;
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let batch = unwritten ?? nextBatch(); batch !== null; batch = nextBatch()) {
      unwritten = batch;
      if (!(await isDone(batch))) break;
      unwritten = null;
    }
    isWriting = false;
  }

  function nextBatch(): Batch | null {
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
  }

  /** True where the batch needs no further attempt. */
  async function isDone(batch: Batch): Promise<boolean> {
    try {
      const { refused, reason } = await write(batch);
      if (refused > 0) log.error({ refused, reason }, 'the database refused rows');
      recovered();
      return true;
    } catch (error) {
      if (!isWorthRepeating(error)) {
        discarded += batch.requests.length + batch.samples.length + batch.events.length;
        log.error({ err: error }, 'a batch of statistics cannot be written and is dropped');
        return true;
      }
      failed(error);
      return false;
    }
  }

  function failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const trouble = troubleOf(error instanceof DatabaseFailure ? error.failure : { code: null, message });
    const attempts = (failing?.attempts ?? 0) + 1;
    if (attempts === 1) log.error({ err: error, file }, 'statistics cannot be saved; they wait in memory');
    const pause = Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** (attempts - 1));
    failing = { trouble, attempts, retryAt: Date.now() + pause };
  }

  function recovered(): void {
    if (failing !== null) log.info({ attempts: failing.attempts, file }, 'statistics are saved again');
    if (lost() > 0) log.warn({ lost: lost() }, 'statistics were lost, the oldest first');
    lostBefore += lost();
    failing = null;
  }
}

/** Also a batch that got no answer: written twice it counts once. */
function isWorthRepeating(error: unknown): boolean {
  if (error instanceof DatabaseFailure) return isStorageFailure(error.failure.code);
  return error instanceof StoreError;
}
