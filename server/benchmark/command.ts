import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { type PlannedCell, workloadNumbers } from '#lib/benchmark/plan.ts';
import { benchmarkReport } from '#lib/benchmark/report.ts';
import type { BenchmarkPlan, BenchmarkReport } from '#lib/contract/benchmark.ts';
import { modelList } from '#lib/contract/models.ts';
import { OptionError } from '#lib/experiment/option-values.ts';
import { rowsTable } from '#lib/experiment/report-table.ts';
import type { Workload } from '#lib/experiment/session-script.ts';
import { createSyntheticWorkload } from '#lib/experiment/synthetic-workload.ts';
import { createReplay, parseTrace } from '#lib/experiment/trace.ts';
import { type CommandOptions, OPTION_TYPES, readCommandOptions, USAGE } from './command-options.ts';
import { type BenchmarkSettings, type ModelUnderTest, otherTraffic } from './model-under-test.ts';
import { progressLine } from './progress-line.ts';
import { type RememberedSettings, rememberedSettings } from './remembered-settings.ts';
import { createRemoteModel } from './remote-model.ts';
import { engineOf, type RunningBenchmark, runBenchmark } from './run-benchmark.ts';
import { createSessionClient } from './session-client.ts';

const INTERRUPTED_EXIT = 130;
const PROGRESS_MS = 1000;

/**
 * `npm run bench:affinity`: gives the exit code. Results go to stdout, everything else to stderr. `folder`: where it
 * remembers what to put back.
 */
export async function runCommand(args: readonly string[], folder: string): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTION_TYPES });
    if (values.help === true) {
      console.log(USAGE);
      return 0;
    }
    return await measure(readCommandOptions(values), folder);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isMistake = error instanceof OptionError || (error instanceof TypeError && 'code' in error);
    console.error(isMistake ? `${message}\n\n${USAGE}` : message);
    return isMistake ? 2 : 1;
  }
}

async function measure(options: CommandOptions, folder: string): Promise<number> {
  const { url, apiKey } = options;
  const name = options.model ?? (await onlyModel(url));
  const model = createRemoteModel({ url, model: name, apiKey });
  const plan = options.plan(name, randomInt(0xffff_ffff));
  const workload = workloads(options, plan);
  const client = createSessionClient({ baseUrl: () => url, model: name, protocol: plan.protocol, apiKey });
  try {
    const remembered = rememberedSettings(folder, url, name);
    const traffic = options.allowTraffic ? null : otherTraffic(await model.readings(), 0);
    if (traffic !== null)
      throw new Error(`${traffic} It would disturb the figures; --allow-traffic starts all the same.`);
    const before = await settingsBefore(model, remembered);
    const startedAt = Date.now();
    const abort = abortOnSignals();
    remembered.write(before);
    const running = runBenchmark(plan, { model, client, workloadOf: workload, runKey: randomUUID() }, abort);
    const code = await outcome(running, abort).finally(() => restore(model, before, remembered));
    const parts = { plan, clients: 'command', startedAt, finishedAt: Date.now(), cells: running.cells() } as const;
    const report = benchmarkReport({ ...parts, engine: engineOf(await model.readings()) });
    if (report.cells.length > 0) print(report, options.json);
    return code;
  } finally {
    await Promise.all([client.close(), model.close()]);
  }
}

async function onlyModel(url: string): Promise<string> {
  const answer = await request(`${url}/api/models`);
  const { models } = modelList.parse(await answer.body.json());
  const [only, ...others] = models.map((model) => model.name);
  if (only !== undefined && others.length === 0) return only;
  throw new OptionError(
    `--model is missing: one of ${models.map((model) => model.name).join(', ') || 'none there yet'}`,
  );
}

/** What the settings are to be afterwards: a run that was killed has left them as its last step wanted them. */
async function settingsBefore(model: ModelUnderTest, remembered: RememberedSettings): Promise<BenchmarkSettings> {
  const left = remembered.read();
  if (left === null) {
    const { affinity, cache_fit } = await model.readings();
    return { affinity, cacheFit: cache_fit };
  }
  const [affinity, cacheFit] = [left.affinity, left.cacheFit].map((on) => (on ? 'on' : 'off'));
  console.error(`An earlier run was killed; affinity is put back to ${affinity} and cache-fit to ${cacheFit} first.`);
  await restore(model, left, remembered);
  return left;
}

async function restore(
  model: ModelUnderTest,
  settings: BenchmarkSettings,
  remembered: RememberedSettings,
): Promise<void> {
  await model.set(settings);
  remembered.forget();
}

/** Shows the progress until the run has ended; 130 where it was stopped by a signal. */
async function outcome(running: RunningBenchmark, signal: AbortSignal): Promise<number> {
  const { isTTY } = process.stderr;
  let shown = -1;
  const show = () => {
    const progress = running.progress();
    if (isTTY) process.stderr.write(`\r\x1b[2K${progressLine(progress)}`);
    else if (progress.cell !== shown) console.error(progressLine(progress));
    shown = progress.cell;
  };
  show();
  const timer = setInterval(show, PROGRESS_MS);
  try {
    await running.done;
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('\nStopped; the settings are put back.');
    return INTERRUPTED_EXIT;
  } finally {
    clearInterval(timer);
    if (isTTY) process.stderr.write('\r\x1b[2K');
  }
}

/** The first signal stops in good order, the second at once. */
function abortOnSignals(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(INTERRUPTED_EXIT);
      abort.abort();
    });
  }
  return abort.signal;
}

function workloads({ traceFolder, replay }: CommandOptions, plan: BenchmarkPlan): (cell: PlannedCell) => Workload {
  const { numbers } = plan;
  if (numbers !== null) return (cell) => createSyntheticWorkload(workloadNumbers(numbers), cell.seed);
  const recorded = readTraces(traceFolder ?? '');
  return (cell) => createReplay(recorded, replay, cell.seed);
}

function readTraces(folder: string) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new OptionError('--trace: there are no .json files in that folder');
  return files.sort().map((file) => parseTrace(readFileSync(join(folder, file), 'utf8'), file));
}

function print(report: BenchmarkReport, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  const { plan, engine, warnings } = report;
  const version = engine.version ?? 'of an unknown version';
  console.log(
    `${plan.model}, engine ${version}, ${engine.replicas} replicas, ${plan.seconds} s a step after ${plan.warmup_seconds} s of warm-up, seed ${plan.seed}\n`,
  );
  console.log(rowsTable(report.rows));
  for (const { message } of warnings) console.log(`\n! ${message}`);
}
