import { randomInt, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { longestContext, planBenchmark, workloadNumbers } from '#lib/benchmark/plan.ts';
import { averagedRows, benchmarkReport } from '#lib/benchmark/report.ts';
import type { BenchmarkPlan, BenchmarkRequest, BenchmarkRun, BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { createSyntheticWorkload } from '#lib/experiment/synthetic-workload.ts';
import type { Benchmarks, Demo, StartedBenchmark } from '#server/api/context.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { BenchmarkEnd, Store } from '#server/store/store.ts';
import { type ModelUnderTest, otherTraffic } from './model-under-test.ts';
import { modelReadings } from './readings.ts';
import { engineOf, type RunningBenchmark, runBenchmark } from './run-benchmark.ts';
import { createSessionClient } from './session-client.ts';
import { storedRun, storedSummary } from './stored-run.ts';

export type BenchmarksOptions = {
  readonly store: Store;
  /** Base URL of this very server: the sessions take the way of any client. */
  readonly baseUrl: () => string;
  /** The router's own key for itself. */
  readonly apiKey: string;
  readonly demo: Demo | null;
  readonly now: () => number;
  readonly log: Logger;
};

type Current = {
  readonly id: number;
  readonly plan: BenchmarkPlan;
  readonly startedAt: number;
  readonly running: RunningBenchmark;
  readonly abort: AbortController;
  /** Resolves when the setting is restored and the run is stored. */
  readonly over: Promise<void>;
};

const LISTED = 50;
/** Who changes the settings while one runs, in the audit list. */
const BENCHMARK = 'benchmark';

/** Benchmarks that run inside this process, one at a time, and those kept from before. */
export function createBenchmarks(options: BenchmarksOptions): Benchmarks & { close(): Promise<void> } {
  const { store, now, log } = options;
  let current: Current | null = null;
  let starting = false;
  let lastEndedAt = 0;

  async function start(model: ModelRuntime, request: BenchmarkRequest): Promise<StartedBenchmark> {
    if (current !== null || starting) return { kind: 'busy', detail: 'A benchmark is running; cancel it first.' };
    const plan = planBenchmark({ ...request, model: model.name }, randomInt(0xffff_ffff));
    const refused = refusal(model, plan, request.allow_traffic);
    if (refused !== null) return refused;
    starting = true;
    try {
      const startedAt = now();
      const { affinity: affinityBefore, cacheFit: cacheFitBefore } = model.setting;
      const run = {
        model: model.name,
        startedAt,
        affinityBefore,
        cacheFitBefore,
        planJson: JSON.stringify(plan),
      };
      const id = await store.addBenchmark(run);
      begin({ id, plan, startedAt, affinityBefore, cacheFitBefore, model });
      return { kind: 'started', run: runningRun(id) };
    } finally {
      starting = false;
    }
  }

  function refusal(model: ModelRuntime, plan: BenchmarkPlan, allowTraffic: boolean): StartedBenchmark | null {
    const needed = plan.numbers === null ? 0 : longestContext(plan.numbers);
    if (model.maxModelLen !== null && needed > model.maxModelLen) {
      const detail = `Conversations would grow to ${needed} tokens, and ${model.name} takes ${model.maxModelLen}.`;
      return { kind: 'too_long', detail };
    }
    if (allowTraffic) return null;
    const sessions = options.demo?.sessions() ?? 0;
    const traffic =
      sessions > 0
        ? `${sessions} synthetic agent sessions run.`
        : otherTraffic(modelReadings(model, now()), lastEndedAt);
    return traffic === null ? null : { kind: 'traffic', detail: traffic };
  }

  function begin(run: Pick<Current, 'id' | 'plan' | 'startedAt'> & Restored): void {
    const { plan, model } = run;
    const abort = new AbortController();
    const protocol = { model: model.name, protocol: plan.protocol, apiKey: options.apiKey };
    const client = createSessionClient({ baseUrl: options.baseUrl, ...protocol });
    const running = runBenchmark(
      plan,
      {
        model: underTest(model),
        client,
        runKey: randomUUID(),
        workloadOf: (cell) => createSyntheticWorkload(numbersOf(plan), cell.seed),
      },
      abort.signal,
    );
    const over = finish(run, running, abort.signal).finally(() => client.close());
    current = { ...run, running, abort, over };
  }

  function underTest(model: ModelRuntime): ModelUnderTest {
    return {
      readings: async () => modelReadings(model, now()),
      set: (settings) => model.changeSetting(settings, BENCHMARK),
    };
  }

  /** Never rejects: what goes wrong is the run's outcome. */
  async function finish(
    {
      id,
      plan,
      startedAt,
      model,
      affinityBefore,
      cacheFitBefore,
    }: Pick<Current, 'id' | 'plan' | 'startedAt'> & Restored,
    running: RunningBenchmark,
    signal: AbortSignal,
  ): Promise<void> {
    let outcome: Pick<BenchmarkEnd, 'status' | 'error'> = { status: 'finished', error: null };
    try {
      await running.done;
    } catch (error) {
      outcome = signal.aborted
        ? { status: signal.reason === INTERRUPTED ? 'interrupted' : 'cancelled', error: null }
        : { status: 'failed', error: error instanceof Error ? error.message : String(error) };
      if (!signal.aborted) log.error({ err: error, benchmark: id }, 'a benchmark failed');
    }
    try {
      await model.changeSetting({ affinity: affinityBefore, cacheFit: cacheFitBefore }, BENCHMARK);
      const cells = running.cells();
      const engine = engineOf(modelReadings(model, now()));
      const parts = { plan, engine, clients: 'router', startedAt, finishedAt: now(), cells } as const;
      const reportJson = cells.length === 0 ? null : JSON.stringify(benchmarkReport(parts));
      await store.endBenchmark(id, { ...outcome, finishedAt: now(), reportJson });
    } catch (error) {
      // It stays `running` in the database, and the next start restores what is remembered there.
      log.error({ err: error, benchmark: id }, 'the end of a benchmark could not be saved');
    }
    lastEndedAt = now();
    current = null;
  }

  /** The run under way. */
  function runningRun(id: number): BenchmarkRun {
    if (current === null || current.id !== id) throw new Error(`benchmark ${id} is not running`);
    const { plan, startedAt, running } = current;
    return {
      id,
      model: plan.model,
      status: 'running',
      started_at: new Date(startedAt).toISOString(),
      finished_at: null,
      plan,
      progress: running.progress(),
      error: null,
      rows: averagedRows(plan, running.cells()),
      report: null,
    };
  }

  async function one(id: number): Promise<BenchmarkRun | null> {
    if (current?.id === id) return runningRun(id);
    const row = await store.benchmark(id);
    return row === null ? null : storedRun(row);
  }

  return {
    start,
    one,
    async list(): Promise<BenchmarkSummary[]> {
      const rows = await store.benchmarks(LISTED);
      return rows.map((row) => {
        if (current?.id !== row.id) return storedSummary(row);
        const { report: _, ...summary } = runningRun(row.id);
        return summary;
      });
    },
    async remove(id) {
      const cancelled = current?.id === id ? current : null;
      if (cancelled === null) {
        const known = await one(id);
        if (known !== null) await store.deleteBenchmark(id);
        return known;
      }
      cancelled.abort.abort();
      await cancelled.over;
      return one(id);
    },
    async close() {
      current?.abort.abort(INTERRUPTED);
      await current?.over;
    },
  };
}

type Restored = {
  readonly model: ModelRuntime;
  readonly affinityBefore: boolean | null;
  readonly cacheFitBefore: boolean | null;
};

/** Why a run ends when the process does. */
const INTERRUPTED = Symbol('interrupted');

function numbersOf({ numbers }: BenchmarkPlan) {
  if (numbers === null) throw new Error('a plan of the console has numbers');
  return workloadNumbers(numbers);
}
