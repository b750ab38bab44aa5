import type { Batch, BatchResult } from './batch.ts';
import type { BatchBuffer } from './batch-buffer.ts';
import { isStorageFailure } from './sqlite-code.ts';
import { StoreError } from './store-error.ts';
import type { StoreLog } from './store-log.ts';
import { type Trouble, troubleOf } from './trouble.ts';
import { DatabaseFailure } from './worker-link.ts';

const RETRY_FIRST_MS = 1000;
const RETRY_LAST_MS = 15_000;

export type WriteBehindOptions = {
  readonly file: string;
  readonly buffer: BatchBuffer;
  readonly write: (batch: Batch) => Promise<BatchResult>;
  readonly log: StoreLog;
};

/** Writes what waits in the buffer. Nothing here throws or rejects: a full disk must never reach a request. */
export type WriteBehind = {
  /** Writes what waits; resolves when that is done or failed. */
  flush(): Promise<void>;
  /** To be called every second: writes what waits unless a retry is better left for later. */
  tick(now: number): void;
  /** A batch that was tried and is not known to be written. */
  unwritten(): Batch | null;
  /** Rows that wait, tried or not, and those lost since the start. */
  backlog(): { readonly waiting: number; readonly dropped: number };
  /** A sentence while writing fails. */
  warning(): string | null;
};

type Failing = { readonly trouble: Trouble; readonly attempts: number; readonly retryAt: number };

export function createWriteBehind({ file, buffer, write, log }: WriteBehindOptions): WriteBehind {
  /** Sent again as it was, with its id: it may have been written and the answer lost. */
  let unwritten: Batch | null = null;
  let failing: Failing | null = null;
  let discarded = 0;
  let lostBefore = 0;
  let isWriting = false;
  let queue = Promise.resolve();

  const lost = () => buffer.dropped() + discarded - lostBefore;
  const flush = () => {
    queue = queue.then(writeAll);
    return queue;
  };

  return {
    flush,
    tick(now) {
      if (!isWriting && (failing === null || now >= failing.retryAt)) void flush();
    },
    unwritten: () => unwritten,
    backlog: () => ({
      waiting: buffer.size() + (unwritten === null ? 0 : rowsOf(unwritten)),
      dropped: buffer.dropped() + discarded,
    }),
    warning: () => (failing === null ? null : sentence(file, failing.trouble, lost())),
  };

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let batch = unwritten ?? buffer.next(); batch !== null; batch = buffer.next()) {
      unwritten = batch;
      if (!(await isDone(batch))) break;
      unwritten = null;
    }
    isWriting = false;
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
        discarded += rowsOf(batch);
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

const rowsOf = ({ requests, samples, events }: Batch): number => requests.length + samples.length + events.length;

function sentence(file: string, { cause, remedy }: Trouble, lost: number): string {
  const waiting = 'They wait in memory; if this lasts, the oldest are lost.';
  const gone = lost > 0 ? ` ${lost} rows were lost so far.` : '';
  return `Statistics are not being saved to ${file}: ${cause}. ${waiting}${gone} ${remedy}`;
}

/** Also a batch that got no answer: written twice it counts once. */
function isWorthRepeating(error: unknown): boolean {
  if (error instanceof DatabaseFailure) return isStorageFailure(error.failure.code);
  return error instanceof StoreError;
}
