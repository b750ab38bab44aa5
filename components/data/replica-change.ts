import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RoutingState, routingState } from '#lib/contract/models.ts';
import { type ApiError, sendJson } from './client.ts';
import { keys } from './keys.ts';

/** Drains a replica of a model, or takes that back; the answer is the new routing state. */
export function useReplicaChange(model: string, replica: number) {
  const client = useQueryClient();
  return useMutation<RoutingState, ApiError, { draining: boolean }>({
    mutationFn: (patch) =>
      sendJson('PATCH', `/api/models/${encodeURIComponent(model)}/replicas/${replica}`, patch, routingState),
    onSuccess: async (state) => {
      // A poll that left before the change may answer after it, with the old state.
      await client.cancelQueries({ queryKey: keys.routing(model) });
      client.setQueryData(keys.routing(model), state);
      await client.invalidateQueries({ queryKey: ['events', model] });
    },
  });
}
