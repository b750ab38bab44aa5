import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import {
  type ModelConfiguration,
  type ModelPatch,
  modelConfiguration,
  modelRemoved,
  type NewModel,
  type ProbeResult,
  type probeRequest,
  probeResult,
} from '#lib/contract/managed-models.ts';
import { type ApiError, deleteJson, sendJson } from './client.ts';
import { keys } from './keys.ts';
import { usePoll } from './poll.ts';

const SLOW_MS = 10_000;

const modelPath = (model: string): string => `/api/models/${encodeURIComponent(model)}`;

/** How a model is configured, and whether it can be changed here. */
export function useModelConfiguration(model: string) {
  return usePoll({
    key: keys.configuration(model),
    path: modelPath(model),
    schema: modelConfiguration,
    everyMs: SLOW_MS,
  });
}

/** Asks addresses what they are. */
export function useProbe() {
  return useMutation<ProbeResult, ApiError, z.input<typeof probeRequest>>({
    mutationFn: (request) => sendJson('POST', '/api/models/probe', request, probeResult),
  });
}

/** Adds a model, or changes the one of that name. It is served when this has succeeded. */
export function useModelSave(model: string | null) {
  const client = useQueryClient();
  return useMutation<ModelConfiguration, ApiError, NewModel | ModelPatch>({
    mutationFn: (body) =>
      model === null
        ? sendJson('POST', '/api/models', body, modelConfiguration)
        : sendJson('PATCH', modelPath(model), body, modelConfiguration),
    onSuccess: async (saved) => {
      client.setQueryData(keys.configuration(saved.name), saved);
      await client.invalidateQueries();
    },
  });
}

/** Removes a model; what is in flight there goes on to its end. */
export function useModelRemoval(model: string) {
  const client = useQueryClient();
  return useMutation<z.output<typeof modelRemoved>, ApiError, void>({
    mutationFn: () => deleteJson(modelPath(model), modelRemoved),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.models() }),
        client.invalidateQueries({ queryKey: keys.status() }),
      ]),
  });
}

const served = z.object({ models: z.array(z.string()) });

/** Brings the simulated fleet back. */
export function useSimulatedReturn() {
  const client = useQueryClient();
  return useMutation<z.output<typeof served>, ApiError, void>({
    mutationFn: () => sendJson('POST', '/api/models/simulated', {}, served),
    onSuccess: () => client.invalidateQueries(),
  });
}
