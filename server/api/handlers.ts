import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '#lib/access/caller.ts';
import { demoRequest, type EventList, type ProcessStatus } from '#lib/contract/activity.ts';
import type { YieldAfter } from '#lib/contract/admission.ts';
import { type ModelSummary, type RoutingState, replicaPatch, routingPatch } from '#lib/contract/models.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { AuditNote } from './audit-rule.ts';
import type { ApiContext } from './context.ts';
import { routingState } from './model-state.ts';
import { modelSummary } from './model-summary.ts';
import { limitOf, modelFilter, modelOf } from './parameters.ts';
import { readJson } from './read-json.ts';
import { askedWindow } from './series-window.ts';

/** A call as a handler sees it: path parameters decoded, query parsed. */
export type ApiCall = {
  readonly context: ApiContext;
  readonly req: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** For headers of the answer; its body is what the handler returns. */
  readonly res: ServerResponse;
  readonly caller: Caller;
  /** Tells the audit list what the handler knows best. */
  readonly note: (note: AuditNote) => void;
  readonly noted: () => AuditNote | null;
};

const iso = (ms: number): string => new Date(ms).toISOString();

export async function listModels({ context }: ApiCall): Promise<{ models: ModelSummary[] }> {
  const now = context.now();
  const activity = await context.store.modelActivity(now);
  const models = context.registry.models().map((model) =>
    modelSummary({
      model,
      origin: context.managed.originOf(model.name),
      activity: activity.get(model.name) ?? null,
      now,
    }),
  );
  return { models };
}

export async function getRouting(call: ApiCall): Promise<RoutingState> {
  return routingState(modelOf(call), call.context.now());
}

export async function patchRouting(call: ApiCall): Promise<RoutingState> {
  const model = modelOf(call);
  const patch = await readJson(call.req, routingPatch);
  try {
    await model.changeSetting({
      ...(patch.affinity === undefined ? {} : { affinity: patch.affinity }),
      ...(patch.spill_threshold === undefined ? {} : { spillThreshold: patch.spill_threshold }),
      ...(patch.cache_fit === undefined ? {} : { cacheFit: patch.cache_fit }),
      ...(patch.yield_after_seconds === undefined ? {} : { yieldAfterMs: yieldAfterMs(patch.yield_after_seconds) }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProblemError(503, 'Not saved', `The setting was not changed, because it could not be saved: ${reason}`);
  }
  return routingState(model, call.context.now());
}

const yieldAfterMs = (seconds: YieldAfter): number | 'auto' => (seconds === 'auto' ? 'auto' : seconds * 1000);

export async function patchReplica(call: ApiCall): Promise<RoutingState> {
  const model = modelOf(call);
  const replica = Number(call.params.replica);
  const there = model.replicas.map(([number]) => number);
  if (!there.includes(replica)) {
    throw new ProblemError(404, 'No such replica', `${model.name} has these replicas: ${there.join(', ')}.`);
  }
  const { draining } = await readJson(call.req, replicaPatch);
  model.setDraining(replica, draining);
  return routingState(model, call.context.now());
}

export async function listEvents(call: ApiCall): Promise<EventList> {
  const { store, now } = call.context;
  const isWindow = ['window', 'from', 'to'].some((name) => call.query.has(name));
  const { from, to } = isWindow ? (await askedWindow(call, now())).span : { from: 0, to: 0 };
  const rows = isWindow
    ? await store.eventsBetween(modelFilter(call), from * 1000, to * 1000)
    : await store.events(modelFilter(call), limitOf(call, 100, 1000));
  return {
    events: rows.map((row) => ({
      time: iso(row.at),
      model: row.model,
      kind: row.kind,
      detail: row.detail,
      facts: row.facts ?? null,
    })),
  };
}

export async function processStatus({ context }: ApiCall): Promise<ProcessStatus> {
  const saving = context.store.warning();
  return {
    version: context.version,
    started_at: iso(context.startedAt),
    simulated: context.demo !== null,
    simulated_removed: context.demo === null && context.restoreSimulated !== null,
    demo: context.demo === null ? null : { sessions: context.demo.sessions() },
    warnings: [...(saving === null ? [] : [{ code: 'store', message: saving }]), ...context.warnings()],
  };
}

function demoOf({ context }: ApiCall): NonNullable<ApiContext['demo']> {
  if (context.demo !== null) return context.demo;
  throw new ProblemError(
    409,
    'Not simulated',
    'Synthetic sessions run against the embedded simulated fleet only; these models are real engines.',
  );
}

export async function getDemo(call: ApiCall): Promise<{ sessions: number }> {
  return { sessions: demoOf(call).sessions() };
}

export async function postDemo(call: ApiCall): Promise<{ sessions: number }> {
  const demo = demoOf(call);
  const { sessions } = await readJson(call.req, demoRequest);
  demo.setSessions(sessions);
  return { sessions: demo.sessions() };
}
