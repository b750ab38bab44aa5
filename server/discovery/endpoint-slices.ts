import { z } from 'zod';
import { hostInUrl } from './discovery.ts';

/** As much of `discovery.k8s.io/v1 EndpointSlice` as is needed (Kubernetes 1.21 and later). */
export const endpointSlice = z.object({
  metadata: z.object({ name: z.string(), resourceVersion: z.string() }),
  ports: z.array(z.object({ name: z.string().nullish(), port: z.number().nullish() })).nullish(),
  endpoints: z
    .array(
      z.object({
        addresses: z.array(z.string()),
        conditions: z.object({ ready: z.boolean().nullish(), terminating: z.boolean().nullish() }).nullish(),
      }),
    )
    .nullish(),
});
export type EndpointSlice = z.infer<typeof endpointSlice>;

export type PortChoice = { readonly port: string | number | null; readonly scheme: 'http' | 'https' };

/** The URLs of the endpoints that are ready and not going away. A port is chosen by its name or number, else the first. */
export function urlsOfSlices(slices: Iterable<EndpointSlice>, choice: PortChoice): string[] {
  return [...slices].flatMap((slice) => {
    const port = portOf(slice, choice.port);
    if (port === null) return [];
    const ready = (slice.endpoints ?? []).filter(
      // Unknown counts as ready, as the API's own documentation has it.
      ({ conditions }) => conditions?.ready !== false && conditions?.terminating !== true,
    );
    return ready.flatMap(({ addresses }) =>
      addresses.map((address) => `${choice.scheme}://${hostInUrl(address)}:${port}`),
    );
  });
}

function portOf({ ports }: EndpointSlice, wanted: string | number | null): number | null {
  const known = ports ?? [];
  if (wanted === null) return known[0]?.port ?? null;
  const found = known.find((one) => (typeof wanted === 'number' ? one.port === wanted : one.name === wanted));
  return found?.port ?? null;
}
