import type { Facts } from './audit-rule.ts';
import type { ApiCall } from './handlers.ts';
import { routingState } from './model-state.ts';

/*
 * What the audit list says of the calls that change something: of what, and the values before and after. A subject or a
 * value that is not there is left out, for the handler to complain of.
 */

export const modelSubject = ({ params }: ApiCall): string => params.name ?? '';
export const replicaSubject = ({ params }: ApiCall): string => `${params.name} · ${params.replica}`;
export const conversationSubject = ({ params }: ApiCall): string => params.key ?? '';
export const benchmarkSubject = ({ params }: ApiCall): string => params.id ?? '';

export async function routingFacts({ context, params }: ApiCall): Promise<Facts | null> {
  const model = context.registry.named(params.name ?? '');
  if (model === null) return null;
  const state = routingState(model, context.now());
  const { affinity, cache_fit, spill_threshold, spill_threshold_source } = state;
  const yield_after = state.admission.yield_after_setting;
  return { affinity, cache_fit, spill_threshold, spill_threshold_source, yield_after };
}

export async function drainFacts({ context, params }: ApiCall): Promise<Facts | null> {
  const model = context.registry.named(params.name ?? '');
  if (model === null) return null;
  const replica = routingState(model, context.now()).replicas[Number(params.replica)];
  return replica === undefined ? null : { draining: replica.draining };
}

/** The conversation's home; its key is the beginning of the hash, and its model stands in the query. */
export async function conversationFacts({ context, params, query }: ApiCall): Promise<Facts | null> {
  const model = context.registry.named(query.get('model') ?? '');
  for (const home of model?.router.homes() ?? []) {
    if (home.keyHash.startsWith(params.key ?? ' ')) return { home: home.replica };
  }
  return null;
}

export async function benchmarkFacts({ context, params }: ApiCall): Promise<Facts | null> {
  const run = await context.benchmarks.one(Number(params.id));
  return run === null ? null : { model: run.model, started_at: run.started_at, status: run.status };
}

export async function demoFacts({ context }: ApiCall): Promise<Facts | null> {
  return context.demo === null ? null : { sessions: context.demo.sessions() };
}

export async function settingsFacts({ context }: ApiCall): Promise<Facts> {
  return { ...(await context.store.retention()).current };
}
