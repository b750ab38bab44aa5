import { setTimeout as pause } from 'node:timers/promises';
import { cellsSeconds, type PlannedCell, planCells } from '#lib/benchmark/plan.ts';
import type {
  BenchmarkCell,
  BenchmarkEngine,
  BenchmarkPlan,
  BenchmarkProgress,
  ModelReadings,
} from '#lib/contract/benchmark.ts';
import type { Workload } from '#lib/experiment/session-script.ts';
import { type ModelUnderTest, settingsOf } from './model-under-test.ts';
import { runCell } from './run-cell.ts';
import type { SessionClient } from './session-client.ts';
import type { TurnRecorder } from './turn-recorder.ts';

export type BenchmarkWorld = {
  readonly model: ModelUnderTest;
  readonly client: SessionClient;
  readonly workloadOf: (cell: PlannedCell) => Workload;
  /** Different for every run, so that none finds the homes of another. */
  readonly runKey: string;
};

export type RunningBenchmark = {
  /** Resolves when all cells are measured; rejects when it failed or `signal` fired. The setting is left as it is. */
  readonly done: Promise<void>;
  /** Measured so far. */
  cells(): readonly BenchmarkCell[];
  progress(): BenchmarkProgress;
};

const SETTLE_POLL_MS = 200;
const SETTLE_MS = 10_000;

/** Runs a plan's cells one after the other, each with the setting that it asks for. */
export function runBenchmark(plan: BenchmarkPlan, world: BenchmarkWorld, signal: AbortSignal): RunningBenchmark {
  const planned = planCells(plan);
  const cells: BenchmarkCell[] = [];
  let recorder: TurnRecorder | null = null;
  let cellStartedAt: number | null = null;

  async function run(): Promise<void> {
    for (const [index, cell] of planned.entries()) {
      cellStartedAt = null;
      recorder = null;
      signal.throwIfAborted();
      await world.model.set(settingsOf(cell.policy));
      await settle(world.model, signal);
      cellStartedAt = performance.now();
      const cellWorld = {
        ...world,
        workload: world.workloadOf(cell),
        sessionPrefix: `${world.runKey}-${index}`,
        onStart: (started: TurnRecorder) => {
          recorder = started;
        },
      };
      cells.push(await runCell(plan, cell, cellWorld, signal));
    }
  }

  return {
    done: run(),
    cells: () => cells,
    progress: () => {
      const index = Math.min(cells.length, planned.length - 1);
      const elapsed = cellStartedAt === null ? 0 : (performance.now() - cellStartedAt) / 1000;
      const total = cellsSeconds(plan, planned.length);
      const left = Math.max(0, cellsSeconds(plan, planned.length - cells.length) - elapsed);
      const { policy = 'off', sessions = 0, repeat = 0 } = planned[index] ?? {};
      return {
        cell: index,
        cells: planned.length,
        policy,
        sessions,
        repeat,
        phase: cellStartedAt === null ? 'settling' : elapsed < plan.warmup_seconds ? 'warming' : 'measuring',
        done_percent: Math.min(100, 100 * (1 - left / total)),
        left_seconds: left,
        turns: recorder?.counts().answered ?? 0,
        errors: recorder?.counts().errors ?? 0,
      };
    },
  };
}

/** Waits until the engine has worked off what the cell before gave up; not for ever, others may keep it busy. */
async function settle(model: ModelUnderTest, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_MS;
  while (performance.now() < giveUpAt) {
    const { in_flight, replicas } = await model.readings();
    if (in_flight === 0 && replicas.every(({ requests_running }) => (requests_running ?? 0) === 0)) return;
    await pause(SETTLE_POLL_MS, undefined, { signal });
  }
}

/** What there is to measure, for the report. */
export function engineOf(readings: ModelReadings): BenchmarkEngine {
  const capacities = readings.replicas.map((replica) => replica.kv_capacity_tokens).filter((value) => value !== null);
  return {
    version: readings.engine_version,
    simulated: readings.simulated,
    replicas: readings.replicas.length,
    spill_threshold: readings.spill_threshold,
    max_num_seqs: readings.max_num_seqs,
    max_model_len: readings.max_model_len,
    kv_capacity_tokens: capacities.length === 0 ? null : Math.min(...capacities),
  };
}
