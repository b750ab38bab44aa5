import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { benchmarkCell } from '#lib/benchmark/cell.ts';
import { LiveConversation } from '#lib/benchmark/live-conversation.ts';
import type { PlannedCell } from '#lib/benchmark/plan.ts';
import type { BenchmarkCell, BenchmarkPlan, ModelReadings } from '#lib/contract/benchmark.ts';
import type { SessionScript, Workload } from '#lib/experiment/session-script.ts';
import { arrivalPauses } from './arrivals.ts';
import { isInForce, type ModelUnderTest } from './model-under-test.ts';
import type { SessionClient } from './session-client.ts';
import { createTurnRecorder, type TurnRecorder } from './turn-recorder.ts';

export type CellWorld = {
  readonly model: ModelUnderTest;
  readonly client: SessionClient;
  readonly workload: Workload;
  /** Makes session ids those of this run and cell alone: no conversation has a home from before. */
  readonly sessionPrefix: string;
  /** Gives how the step goes while it runs. */
  readonly onStart: (recorder: TurnRecorder) => void;
};

/** As often as the router polls an engine. */
const POLL_MS = 2000;
/** Clients do not all start at once. */
const START_SPACING_MS = 50;
/** A client that was refused does not hammer on. */
const AFTER_FAILURE_MS = 1000;

/** Runs one step of one policy: clients, polls, and the window in between that is measured. Throws when aborted. */
export async function runCell(
  plan: BenchmarkPlan,
  cell: PlannedCell,
  world: CellWorld,
  signal: AbortSignal,
): Promise<BenchmarkCell> {
  const startedAt = new Date();
  const origin = performance.now();
  const from = plan.warmup_seconds * 1000;
  const recorder = createTurnRecorder({ from, until: from + plan.seconds * 1000 });
  world.onStart(recorder);
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  setMaxListeners(0, stop);
  const step: Step = { plan, cell, ...world, recorder, now: () => performance.now() - origin, stop };
  const first = await world.model.readings();
  const running = Promise.all([startClients(step), pollBusy(step)]);
  // Their failure is thrown where they are awaited; it must not wait for the end of the step.
  running.catch(() => ended.abort());
  try {
    await pause(from, undefined, { signal: stop });
    const before = await world.model.readings();
    await pause(plan.seconds * 1000, undefined, { signal: stop });
    const after = await world.model.readings();
    ended.abort();
    await running;
    const last = await world.model.readings();
    return assemble(step, startedAt, { first, before, after, last });
  } finally {
    ended.abort();
    await running;
  }
}

type Step = CellWorld & {
  readonly plan: BenchmarkPlan;
  readonly cell: PlannedCell;
  readonly recorder: TurnRecorder;
  /** Ms since the step began. */
  readonly now: () => number;
  readonly stop: AbortSignal;
};

/** `first` and `last` stand around everything sent, `before` and `after` around the measured window. */
type Readings = Readonly<Record<'first' | 'before' | 'after' | 'last', ModelReadings>>;

function assemble(step: Step, startedAt: Date, { first, before, after, last }: Readings): BenchmarkCell {
  const { plan, cell, recorder } = step;
  const { measured, tokens, errors } = recorder.result();
  const { sent } = recorder.counts();
  const restarted = first.engine_restarted_at !== last.engine_restarted_at;
  const prefix = restarted ? null : prefixChange(before, after);
  return benchmarkCell(
    cell,
    { policy: cell.policy, sessions: cell.sessions, seconds: plan.seconds, prefix, ...measured },
    {
      started_at: startedAt.toISOString(),
      errors: errors.length,
      first_error: errors[0] ?? null,
      // The router may take a request back (its replica was gone) or count it twice (it was sent elsewhere).
      other_requests: Math.max(0, last.requests_total - first.requests_total - sent),
      setting_changed: !isInForce(cell.policy, last),
      engine_restarted: restarted,
      plannedTokens: tokens.planned,
      countedTokens: tokens.counted,
    },
  );
}

/** Change of the engine's counters over all replicas; null where any of them reports none. */
function prefixChange(before: ModelReadings, after: ModelReadings): { queries: number; hits: number } | null {
  const sums = [before, after].map(({ replicas }) => {
    let hits = 0;
    let computed = 0;
    for (const { cached_tokens, computed_tokens } of replicas) {
      if (cached_tokens === null || computed_tokens === null) return null;
      hits += cached_tokens;
      computed += computed_tokens;
    }
    return { hits, queries: hits + computed };
  });
  const [start, end] = sums;
  if (!start || !end || end.queries < start.queries) return null;
  return { queries: end.queries - start.queries, hits: end.hits - start.hits };
}

async function pollBusy({ model, recorder, now, stop }: Step): Promise<void> {
  while (!stop.aborted) {
    try {
      await pause(POLL_MS, undefined, { signal: stop });
      const running = (await model.readings()).replicas.map((replica) => replica.requests_running);
      if (running.includes(null)) continue;
      recorder.poll(running.filter((count) => count !== null && count > 0).length, now());
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  }
}

/** Resolves when all clients have stopped. */
async function startClients(step: Step): Promise<void> {
  const { plan, cell, workload, stop } = step;
  let started = 0;
  const start = () => playSession(step, workload.session(started++));
  if (plan.arrivals === 'closed') {
    const clients = Array.from({ length: cell.sessions }, async (_, client) => {
      await quietly(pause(client * START_SPACING_MS, undefined, { signal: stop }), stop);
      while (!stop.aborted) await start();
    });
    await Promise.all(clients);
    return;
  }
  const sessions: Promise<void>[] = [];
  for (const ms of arrivalPauses(cell.sessions, cell.seed)) {
    await quietly(pause(ms, undefined, { signal: stop }), stop);
    if (stop.aborted) break;
    sessions.push(start());
  }
  await Promise.all(sessions);
}

/** One conversation from its first turn to its last, to a failure, or to the end of the step. */
async function playSession(step: Step, script: SessionScript): Promise<void> {
  const { recorder, now, stop } = step;
  const startedAt = now();
  try {
    await playTurns(step, script);
    recorder.session(startedAt, now());
  } catch (error) {
    if (stop.aborted) return;
    recorder.failed(error, now());
    await quietly(pause(AFTER_FAILURE_MS, undefined, { signal: stop }), stop);
  }
}

async function playTurns(step: Step, script: SessionScript): Promise<void> {
  const { cell, client, recorder, sessionPrefix, now, stop } = step;
  const conversation = new LiveConversation(script, cell.salt);
  for (;;) {
    const upcoming = conversation.upcoming;
    if (upcoming === null) return;
    const subagents = upcoming.subagents.map((subagent) => playTurns(step, subagent));
    await Promise.all([pause(upcoming.thinkMs, undefined, { signal: stop }), ...subagents]);
    const turn = conversation.begin();
    const arrivals: number[] = [];
    const watch = { now, generated: (at: number) => void arrivals.push(at) };
    const sentAt = now();
    recorder.sent();
    try {
      const answer = await client.send(`${sessionPrefix}-${script.key}`, turn, watch, stop);
      recorder.finished(turn, sentAt, arrivals, now(), answer);
      conversation.answered(answer.text);
    } catch (error) {
      if (stop.aborted) recorder.cutOff(turn, sentAt, arrivals);
      throw error;
    }
  }
}

/** Waits; the end of the step ends the wait without an error. */
async function quietly(waiting: Promise<unknown>, stop: AbortSignal): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
