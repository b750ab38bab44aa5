import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { demoState } from '#lib/contract/activity.ts';
import { type BenchmarkRun, type benchmarkRequest, benchmarkRun } from '#lib/contract/benchmark.ts';
import { type RoutingPatch, type RoutingState, routingState } from '#lib/contract/models.ts';
import { type ApiError, deleteJson, sendJson } from './client.ts';
import { keys } from './keys.ts';
import { routingPath } from './queries.ts';

/**
 * Changes a model's affinity or spill threshold. The caller shows `variables` while the change is pending, which is also
 * the roll-back: when it fails, the last known state is on screen again.
 */
export function useRoutingChange(model: string) {
  const client = useQueryClient();
  return useMutation<RoutingState, ApiError, RoutingPatch>({
    mutationFn: (patch) => sendJson('PATCH', routingPath(model), patch, routingState),
    onSuccess: async (state) => {
      // A poll that left before the change may answer after it, with the old state.
      await client.cancelQueries({ queryKey: keys.routing(model) });
      client.setQueryData(keys.routing(model), state);
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.models() }),
        client.invalidateQueries({ queryKey: keys.configuration(model) }),
      ]);
    },
  });
}

/** Sets how many synthetic agent sessions run against the simulated fleet. */
export function useDemoChange() {
  const client = useQueryClient();
  return useMutation<{ sessions: number }, ApiError, number>({
    mutationFn: (sessions) => sendJson('POST', '/api/demo', { sessions }, demoState),
    onSettled: () => client.invalidateQueries({ queryKey: keys.status() }),
  });
}

/** Starts a benchmark. */
export function useBenchmarkStart() {
  const client = useQueryClient();
  return useMutation<BenchmarkRun, ApiError, z.input<typeof benchmarkRequest>>({
    mutationFn: (request) => sendJson('POST', '/api/benchmarks', request, benchmarkRun),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.benchmarks() }),
  });
}

/** Cancels the benchmark that runs, or removes one that has ended. */
export function useBenchmarkRemoval() {
  const client = useQueryClient();
  return useMutation<BenchmarkRun, ApiError, number>({
    mutationFn: (id) => deleteJson(`/api/benchmarks/${id}`, benchmarkRun),
    onSettled: () => client.invalidateQueries({ queryKey: keys.benchmarks() }),
  });
}
