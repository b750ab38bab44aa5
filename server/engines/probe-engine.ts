import { z } from 'zod';
import type { ProbedEngine, ProbeProblem } from '#lib/contract/managed-models.ts';
import { sleepingRanks } from '#lib/engine/sleep-state.ts';
import { readEngine } from '#lib/engine/vllm-metrics.ts';
import type { AllowedHosts } from '#server/network/guarded-connect.ts';
import { createEngineClient, type EngineAnswer, type EngineClient } from './engine-client.ts';
import { EngineError } from './engine-error.ts';
import { createVllmAdapter } from './vllm.ts';

/** What a URL turned out to be. */
export type EngineProbe =
  | { readonly problem: null; readonly engine: ProbedEngine }
  | { readonly problem: ProbeProblem; readonly engine: null };

type Target = { readonly url: string; readonly apiKey: string | null; readonly allowedHosts?: AllowedHosts };

/** Longest beginning of an answer that is shown. */
const SAID_LENGTH = 300;
const TIMEOUT_MS = 5000;

const modelList = z.object({ data: z.array(z.object({ id: z.string(), parent: z.string().nullish() })) });

/** Asks an address what it is and serves, as the router would before it sends requests there. Redirects are not followed. */
export async function probeEngine(target: Target, signal: AbortSignal): Promise<EngineProbe> {
  const client = createEngineClient({ ...target, timeoutMs: TIMEOUT_MS });
  try {
    const answer = await client.get('/v1/models', signal);
    const problem = listProblem(client, answer, target.apiKey !== null) ?? (await wardenProblem(client, signal));
    return problem === null ? { problem, engine: await engineAt(target, client, signal) } : { problem, engine: null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { problem: problemOf('unreachable', error.message, null), engine: null };
  } finally {
    await client.close();
  }
}

/** Why the answer is no list of models; null where it is one. */
function listProblem({ url }: EngineClient, answer: EngineAnswer, hasKey: boolean): ProbeProblem | null {
  const { status } = answer;
  const at = `GET ${url}/v1/models`;
  const refused = (code: ProbeProblem['code'], words: string) => problemOf(code, `${at}: ${words}`, answer);
  if (status === 401 || status === 403) {
    return hasKey
      ? refused('wrong_key', `HTTP ${status}: the engine refuses this API key`)
      : refused('wants_key', `HTTP ${status}: the engine wants an API key`);
  }
  if (status >= 300 && status < 400) return refused('redirect', `HTTP ${status}: a redirect, which is not followed`);
  if (status === 404) return refused('not_found', 'HTTP 404: no such endpoint');
  if (status < 200 || status >= 300) return refused('bad_status', `HTTP ${status}`);
  const list = modelList.safeParse(jsonOf(answer.body));
  if (!list.success) return refused('not_an_engine', 'the answer is not a list of models');
  return list.data.data.length === 0 ? refused('no_models', 'the engine serves no model') : null;
}

/** A warden lists models as an engine does; with its own address it would send requests to itself for ever. */
async function wardenProblem(client: EngineClient, signal: AbortSignal): Promise<ProbeProblem | null> {
  try {
    const { body } = await client.get('/metrics', signal);
    if (!/^warden_/m.test(body)) return null;
    return problemOf('is_warden', `${client.url} is LM Warden itself, not an engine.`, null);
  } catch (error) {
    // Metrics that cannot be read are told of elsewhere.
    if (error instanceof EngineError) return null;
    throw error;
  }
}

async function engineAt(target: Target, client: EngineClient, signal: AbortSignal): Promise<ProbedEngine> {
  const adapter = createVllmAdapter({ ...target, timeoutMs: TIMEOUT_MS });
  try {
    const [facts, metrics] = await Promise.all([adapter.facts(signal), metricsOf(client, signal)]);
    const own = facts.models.filter((model) => model.parent === null);
    return {
      models: (own.length > 0 ? own : facts.models).map(({ id, maxModelLen }) => ({ id, max_model_len: maxModelLen })),
      version: facts.version,
      simulated: facts.simulated,
      max_num_seqs: facts.maxNumSeqs,
      ...metrics,
    };
  } finally {
    await adapter.close();
  }
}

type Metrics = Pick<ProbedEngine, 'ranks' | 'kv_capacity_tokens' | 'prefix_caching' | 'metrics_problem'>;

async function metricsOf(client: EngineClient, signal: AbortSignal): Promise<Metrics> {
  const none = (why: string): Metrics => ({
    ranks: null,
    kv_capacity_tokens: null,
    prefix_caching: null,
    metrics_problem: why,
  });
  try {
    const { status, body } = await client.get('/metrics', signal);
    if (status !== 200) return none(`HTTP ${status}`);
    const { ranks, prefixCachingEnabled } = readEngine(body, 0);
    if (ranks.length === 0) return none('it has no vllm: series');
    const capacities = ranks.flatMap((rank) => rank.kvCapacityTokens ?? []);
    return {
      ranks: ranks.length,
      kv_capacity_tokens: capacities.length < ranks.length ? null : Math.min(...capacities),
      prefix_caching: prefixCachingEnabled,
      metrics_problem: sleepingRanks(body).length > 0 ? 'the engine sleeps until POST /wake_up' : null,
    };
  } catch (error) {
    if (error instanceof EngineError) return none(error.message);
    throw error;
  }
}

function problemOf(code: ProbeProblem['code'], message: string, answer: EngineAnswer | null): ProbeProblem {
  return { code, message, status: answer?.status ?? null, said: answer === null ? null : said(answer.body) };
}

/** The beginning of an answer as one line that can be shown; null where it is empty. */
export function said(body: string): string | null {
  const line = body
    .slice(0, 2 * SAID_LENGTH)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.length > SAID_LENGTH ? `${line.slice(0, SAID_LENGTH)}…` : line;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
