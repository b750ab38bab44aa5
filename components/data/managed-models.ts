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

/** Adds a model (`model` null), or changes the one of that name. It is served when `onSaved` is called. */
export function useModelSave(model: string | null, onSaved: (saved: ModelConfiguration) => void) {
  const client = useQueryClient();
  return useMutation<ModelConfiguration, ApiError, NewModel | ModelPatch>({
    mutationFn: (body) =>
      model === null
        ? sendJson('POST', '/api/models', body, modelConfiguration)
        : sendJson('PATCH', modelPath(model), body, modelConfiguration),
    onSuccess: (saved) => {
      client.setQueryData(keys.configuration(saved.name), saved);
      onSaved(saved);
      void client.invalidateQueries();
    },
  });
}

/**
 * Removes a model; what is in flight there goes on to its end. `onRemoved` is called even where the page of the model
 * has gone meanwhile, because a poll found it removed.
 */
export function useModelRemoval(model: string, onRemoved: () => void) {
  const client = useQueryClient();
  return useMutation<z.output<typeof modelRemoved>, ApiError, void>({
    mutationFn: () => deleteJson(modelPath(model), modelRemoved),
    onSuccess: () => {
      onRemoved();
      void client.invalidateQueries({ queryKey: keys.models() });
      void client.invalidateQueries({ queryKey: keys.status() });
    },
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
