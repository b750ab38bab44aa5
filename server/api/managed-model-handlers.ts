import type { ModelConfig } from '#lib/config/schema.ts';
import {
  type ModelConfiguration,
  modelPatch,
  newModel,
  type ProbeResult,
  probeRequest,
} from '#lib/contract/managed-models.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { Facts } from './audit-rule.ts';
import type { ApiCall } from './handlers.ts';
import { modelOf } from './parameters.ts';
import { readJson } from './read-json.ts';

/** What addresses are, before anything is kept of them. */
export async function postProbe({ context, req }: ApiCall): Promise<ProbeResult> {
  return context.managed.probe(await readJson(req, probeRequest));
}

export async function postModel(call: ApiCall): Promise<ModelConfiguration> {
  const { context, req } = call;
  const model = await readJson(req, newModel);
  await saving(() => context.managed.add(model));
  const added = { ...call, params: { name: model.name } };
  call.note({ subject: model.name, after: await modelFacts(added) });
  return getModel(added);
}

export async function patchModel(call: ApiCall): Promise<ModelConfiguration> {
  const { context, req, params } = call;
  const patch = await readJson(req, modelPatch);
  await saving(() => context.managed.change(params.name ?? '', patch));
  return getModel(call);
}

export async function deleteModel({ context, params }: ApiCall): Promise<{ name: string; in_flight: number }> {
  const name = params.name ?? '';
  const { inFlight } = await saving(() => context.managed.remove(name));
  return { name, in_flight: inFlight };
}

/** Brings the simulated fleet back after it was removed. */
export async function postSimulated({ context }: ApiCall): Promise<{ models: string[] }> {
  const { restoreSimulated } = context;
  if (restoreSimulated === null) {
    const detail = 'Models are configured here; the simulated fleet is there only where none is.';
    throw new ProblemError(409, 'No simulated fleet', detail);
  }
  await saving(restoreSimulated);
  return { models: context.registry.models().map(({ name }) => name) };
}

/** How a model is configured: what a form to change it starts from. */
export async function getModel(call: ApiCall): Promise<ModelConfiguration> {
  const model = modelOf(call);
  const { managed } = call.context;
  const { config, policy } = model;
  const origin = managed.originOf(model.name);
  const entry = managed.entry(model.name);
  const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  return {
    name: model.name,
    origin,
    can_change: origin === 'console',
    can_remove: origin === 'console' || origin === 'simulated',
    urls: config.replicas.map(({ url }) => url),
    ranks: ranksOf(config),
    served_model_name: config.served_model_name ?? null,
    aliases: [...config.aliases],
    has_api_key: config.api_key !== undefined,
    max_num_seqs: config.max_num_seqs ?? null,
    affinity: policy.affinity,
    spill_threshold: policy.thresholdSource === 'auto' ? 'auto' : policy.spillThreshold,
    cache_fit: policy.cacheFit,
    added_at: iso(entry?.createdAt),
    changed_at: iso(entry?.updatedAt),
  };
}

/** What the audit list says of a model: whether it has a key, never the key; when it was changed tells of another one. */
export async function modelFacts(call: ApiCall): Promise<Facts | null> {
  if (call.context.registry.named(call.params.name ?? '') === null) return null;
  const { name, origin, can_change, can_remove, added_at, ...facts } = await getModel(call);
  return facts;
}

function ranksOf({ replicas }: ModelConfig): ModelConfiguration['ranks'] {
  const [first, ...others] = replicas;
  if (first === undefined) return 'auto';
  return others.every(({ ranks }) => ranks === first.ranks) ? first.ranks : 'mixed';
}

/** A database that cannot be written is no fault of ours, and nothing was changed. */
async function saving<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') throw new ProblemError(503, 'Not saved', error.message);
    throw error;
  }
}
