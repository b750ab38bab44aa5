import {
  type BenchmarkList,
  type BenchmarkRun,
  benchmarkRequest,
  type ModelReadings,
} from '#lib/contract/benchmark.ts';
import { modelReadings } from '#server/benchmark/readings.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ApiContext } from './context.ts';
import type { ApiCall } from './handlers.ts';
import { readJson } from './read-json.ts';

export async function listBenchmarks({ context }: ApiCall): Promise<BenchmarkList> {
  return { runs: await context.benchmarks.list() };
}

/** Starts one; 409 while one runs, or while the model has other traffic and `allow_traffic` is not set. */
export async function postBenchmark({ context, req, note }: ApiCall): Promise<BenchmarkRun> {
  const request = await readJson(req, benchmarkRequest);
  const started = await context.benchmarks.start(modelNamed(context, request.model), request);
  switch (started.kind) {
    case 'started':
      note({ subject: request.model, after: { benchmark: started.run.id } });
      return started.run;
    case 'busy':
      throw new ProblemError(409, 'A benchmark is running', started.detail);
    case 'traffic':
      throw new ProblemError(409, 'Other traffic', `${started.detail} It would disturb the figures.`, 'allow_traffic');
    case 'too_long':
      throw new ProblemError(400, 'Conversations too long', started.detail, 'numbers');
  }
}

export async function getBenchmark({ context, params }: ApiCall): Promise<BenchmarkRun> {
  return found(await context.benchmarks.one(Number(params.id)), params.id);
}

/** Cancels one that runs and removes any other; answers what it was, or what it became. */
export async function deleteBenchmark({ context, params }: ApiCall): Promise<BenchmarkRun> {
  return found(await context.benchmarks.remove(Number(params.id)), params.id);
}

function modelNamed({ registry }: ApiContext, name: string): ModelRuntime {
  const model = registry.named(name);
  if (model !== null) return model;
  throw new ProblemError(404, 'No such model', `There is no model "${name}".`, 'model');
}

function found(run: BenchmarkRun | null, id: string | undefined): BenchmarkRun {
  if (run !== null) return run;
  throw new ProblemError(404, 'No such benchmark', `There is no benchmark ${id}.`);
}

export async function getReadings(call: ApiCall): Promise<ModelReadings> {
  return modelReadings(modelNamed(call.context, call.params.name ?? ''), call.context.now());
}
