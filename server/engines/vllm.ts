import { z } from 'zod';
import { sleepingRanks } from '#lib/engine/sleep-state.ts';
import { readEngine } from '#lib/engine/vllm-metrics.ts';
import type { AllowedHosts } from '#server/network/guarded-connect.ts';
import type { EngineAdapter, EngineFacts, ServedModel } from './adapter.ts';
import { createEngineClient, type EngineAnswer, type EngineClient } from './engine-client.ts';
import { EngineError, statusFailure } from './engine-error.ts';

export type VllmAdapterOptions = {
  readonly url: string;
  /** Sent as a bearer token; null for an engine without one. */
  readonly apiKey: string | null;
  readonly timeoutMs?: number;
  readonly allowedHosts?: AllowedHosts | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
};

const SERVER_INFO_PATIENCE = 4;

const modelList = z.object({
  data: z.array(z.object({ id: z.string(), max_model_len: z.number().nullish(), parent: z.string().nullish() })),
});
const versionAnswer = z.object({ version: z.string().nullish(), simulated: z.boolean().nullish() });
const serverInfo = z.object({
  vllm_config: z.object({ scheduler_config: z.object({ max_num_seqs: z.int().positive() }) }),
});

/** Reads a vLLM server over HTTP. Only its model list is required; what else it lacks is null or "not reported". */
export function createVllmAdapter({
  url,
  apiKey,
  timeoutMs = 5000,
  allowedHosts,
  now = Date.now,
}: VllmAdapterOptions): EngineAdapter {
  const client = createEngineClient({ url, apiKey, timeoutMs, allowedHosts });
  const engine: Engine = { client, hasKey: apiKey !== null };
  return {
    url: client.url,
    async facts(signal) {
      const models = await readModels(engine, signal);
      const [version, maxNumSeqs] = await Promise.all([readVersion(engine, signal), readMaxNumSeqs(engine, signal)]);
      return { models, ...version, maxNumSeqs };
    },
    async reading(signal) {
      const answer = await client.get('/metrics', signal);
      // An engine behind a gateway that hides /metrics can still be routed to.
      if (answer.status === 404) return readEngine('', now());
      demandSuccess(engine, '/metrics', answer);
      demandAwake(engine, answer);
      return readEngine(answer.body, now());
    },
    async healthy(signal) {
      const answer = await client.get('/health', signal);
      if (answer.status >= 500) return false;
      // It answers, and has no such endpoint: nothing says that it is dead.
      if (answer.status !== 404) demandSuccess(engine, '/health', answer);
      return true;
    },
    close: () => client.close(),
  };
}

type Engine = { readonly client: EngineClient; readonly hasKey: boolean };

async function readModels(engine: Engine, signal: AbortSignal): Promise<readonly ServedModel[]> {
  const path = '/v1/models';
  const answer = await engine.client.get(path, signal);
  demandSuccess(engine, path, answer);
  const parsed = modelList.safeParse(jsonOrUndefined(answer.body));
  if (!parsed.success) {
    const message = `GET ${engine.client.url}${path}: the answer is not a list of models`;
    throw new EngineError(message, { cause: parsed.error });
  }
  return parsed.data.data.map(({ id, max_model_len, parent }) => ({
    id,
    maxModelLen: max_model_len ?? null,
    parent: parent ?? null,
  }));
}

async function readVersion(engine: Engine, signal: AbortSignal): Promise<Pick<EngineFacts, 'version' | 'simulated'>> {
  const parsed = versionAnswer.safeParse(await quietJson(engine, '/version', signal));
  if (!parsed.success) return { version: null, simulated: false };
  return { version: parsed.data.version ?? null, simulated: parsed.data.simulated ?? false };
}

/**
 * There in vLLM's development mode only. Without `config_format=json` the configuration is one long text. The first
 * call to each API server looks at its whole system and takes 5 s (0.32 on a busy machine), later ones a few ms.
 */
async function readMaxNumSeqs(engine: Engine, signal: AbortSignal): Promise<number | null> {
  const path = '/server_info?config_format=json';
  const parsed = serverInfo.safeParse(await quietJson(engine, path, signal, SERVER_INFO_PATIENCE));
  return parsed.success ? parsed.data.vllm_config.scheduler_config.max_num_seqs : null;
}

/** Undefined where the engine does not have the endpoint or does not answer on it; aborting still throws. */
async function quietJson(engine: Engine, path: string, signal: AbortSignal, patience = 1): Promise<unknown> {
  try {
    const answer = await engine.client.get(path, signal, patience);
    return answer.status === 200 ? jsonOrUndefined(answer.body) : undefined;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function demandSuccess({ client, hasKey }: Engine, path: string, { status }: EngineAnswer): void {
  const failure = statusFailure(status, hasKey);
  if (failure !== null) throw new EngineError(`GET ${client.url}${path}: ${failure}`, { status });
}

/** A sleeping engine calls itself healthy, and lets requests wait for as long as nobody wakes it. */
function demandAwake({ client }: Engine, { body }: EngineAnswer): void {
  if (sleepingRanks(body).length === 0) return;
  throw new EngineError(`${client.url} sleeps (vllm:engine_sleep_state): its model is unloaded until POST /wake_up`);
}

function jsonOrUndefined(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
