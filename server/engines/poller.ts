import { engineRestarted } from '#lib/engine/counter.ts';
import type { EngineReading } from '#lib/engine/types.ts';
import type { EngineAdapter, EngineFacts } from './adapter.ts';
import { EngineError } from './engine-error.ts';
import { createPause } from './pause.ts';

/** What one poll found. `restarted`: the engine process is another one than at the reading before. */
export type Poll = {
  readonly reading: EngineReading;
  readonly facts: EngineFacts;
  readonly healthy: boolean;
  readonly restarted: boolean;
};

export type Poller = {
  /** Polls at once, or right after the poll that is running. Any number of calls make one poll. */
  pollNow(): void;
  /** Resolves when the loop has ended; nothing is reported after the call. */
  stop(): Promise<void>;
};

export type PollerOptions = {
  readonly adapter: EngineAdapter;
  /** From the end of one poll to the start of the next. */
  readonly intervalMs?: number;
  readonly onReading: (poll: Poll) => void;
  readonly onFailure: (error: EngineError) => void;
  /** Ends the loop as `stop` does. */
  readonly signal?: AbortSignal;
};

/** Requests that fail one after another each ask for a poll; they get at most one in this time. */
const SHORTEST_GAP_MS = 100;

/**
 * Polls one engine process until it is stopped, first at once. Polls never overlap, no failure ends the loop, and it
 * does not keep the process alive. `onFailure` is called for every poll that failed.
 */
export function createPoller({ adapter, intervalMs = 2000, onReading, onFailure, signal }: PollerOptions): Poller {
  const stopping = new AbortController();
  const gap = createPause();
  const idle = createPause();
  const poll = createPolling(adapter);
  const gapMs = Math.min(SHORTEST_GAP_MS, intervalMs);
  let isAsked = false;

  const end = () => {
    stopping.abort();
    gap.end();
    idle.end();
  };
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();

  async function pollOnce(): Promise<void> {
    try {
      const found = await poll(stopping.signal);
      if (!stopping.signal.aborted) onReading(found);
    } catch (error) {
      if (!stopping.signal.aborted) reportFailure(asEngineError(error, adapter.url), onFailure);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isAsked = false;
      await pollOnce();
      if (stopping.signal.aborted) break;
      await gap.wait(gapMs);
      if (!isAsked && !stopping.signal.aborted) await idle.wait(intervalMs - gapMs);
    }
    signal?.removeEventListener('abort', end);
  }

  const ended = run();
  return {
    pollNow() {
      isAsked = true;
      idle.end();
    },
    stop() {
      end();
      return ended;
    },
  };
}

/** Reads the facts when they may have changed: at first, after the engine was away or ill, and after a restart. */
function createPolling(adapter: EngineAdapter): (signal: AbortSignal) => Promise<Poll> {
  let facts: EngineFacts | null = null;
  let before: EngineReading | null = null;

  async function poll(signal: AbortSignal): Promise<Poll> {
    const { healthy, reading } = await readBoth(adapter, signal);
    const restarted = before !== null && engineRestarted(before, reading);
    const current = facts === null || restarted ? await adapter.facts(signal) : facts;
    // Right after a start an engine may answer without its series; that must not hide that its counters went back.
    if (restarted || before === null || reading.ranks.length > 0) before = reading;
    facts = healthy ? current : null;
    return { reading, facts: current, healthy, restarted };
  }

  return async (signal) => {
    try {
      return await poll(signal);
    } catch (error) {
      facts = null;
      throw error;
    }
  };
}

/** Waits for both even where one fails, so that nothing of this poll is still running at the next. */
async function readBoth(adapter: EngineAdapter, signal: AbortSignal) {
  const [health, reading] = await Promise.allSettled([adapter.healthy(signal), adapter.reading(signal)]);
  if (health.status === 'rejected') throw health.reason;
  if (reading.status === 'rejected') throw reading.reason;
  return { healthy: health.value, reading: reading.value };
}

function asEngineError(error: unknown, url: string): EngineError {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new EngineError(`${url}: a poll failed unexpectedly: ${message}`, { cause: error });
}

function reportFailure(error: EngineError, onFailure: (error: EngineError) => void): void {
  try {
    onFailure(error);
  } catch (fault) {
    // The listener itself is broken; the loop goes on, and the fault shows on stderr.
    process.emitWarning(fault instanceof Error ? fault : String(fault));
  }
}
