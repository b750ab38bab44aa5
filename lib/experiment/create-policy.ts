import { createRouter } from '#lib/routing/router.ts';
import type { Lease } from '#lib/routing/types.ts';
import type { BalancerKind } from '#lib/simulation/balancer.ts';
import { createCacheFit } from './cache-fit-policy.ts';
import { hashText } from './hash-text.ts';
import type { Policy, PolicyContext, PolicyName, PolicyRequest } from './policy.ts';
import { routedRequest } from './routed-request.ts';

/** The balancer of the engine that a policy stands in front of: `off` is what dense models had up to 0.26. */
export function engineBalancer(policy: PolicyName): BalancerKind {
  return policy === 'off' ? 'round-robin' : 'load-aware';
}

/** A new policy with nothing in its memory. */
export function createPolicy(name: PolicyName, context: PolicyContext): Policy {
  switch (name) {
    case 'off':
    case 'off-0.27':
      return createRouted(context, false);
    case 'affinity':
      return createRouted(context, true);
    case 'hash':
      return createHashed(context);
    case 'cache-fit':
      return createCacheFit(context);
    case 'cache-fit-3':
      return createCacheFit(context, { wardens: 3, by: 'conversation' });
    case 'cache-fit-3-dealt':
      return createCacheFit(context, { wardens: 3, by: 'request' });
  }
}

/** The product's own router, with affinity on or off. */
function createRouted(context: PolicyContext, affinity: boolean): Policy {
  const { clock, replicaCount, spillThreshold } = context;
  const router = createRouter({ replicaCount });
  const leases = new Map<PolicyRequest, Lease>();
  return {
    submit: (request, send) => {
      const policy = { affinity, spillThreshold };
      const lease = router.acquire(routedRequest(request), context.readings(), policy, clock.now());
      if (lease === null) throw new Error('no replica is up');
      leases.set(request, lease);
      const { kind, replica } = lease.decision;
      send({ replica, stayed: kind === 'sticky' ? true : kind === 'spilled' ? false : null });
    },
    ended: (request) => {
      leases.get(request)?.release(clock.now());
      leases.delete(request);
    },
  };
}

/** Placement by the session key alone, as hashing load balancers do it: no memory, no load, no spill. */
function createHashed({ replicaCount }: PolicyContext): Policy {
  const seen = new Set<string>();
  return {
    submit: ({ key }, send) => {
      send({ replica: hashText(key) % replicaCount, stayed: seen.has(key) ? true : null });
      seen.add(key);
    },
    ended: () => {},
  };
}
