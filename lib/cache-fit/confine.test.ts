import { expect, it } from 'vitest';
import { createRouter } from '#lib/routing/router.ts';
import type { FleetView, RoutedRequest } from '#lib/routing/types.ts';
import { confine } from './confine.ts';

const up = { up: true, draining: false, kvUsage: null, running: null, waiting: null };
const fleet: FleetView = { replicas: [up, up, up], engineBalances: true };
const policy = { affinity: true, spillThreshold: 1 };
const request: RoutedRequest = {
  key: { hash: 'a', source: 'test' },
  role: 'turn',
  sideReason: null,
  pin: null,
  unpinnable: null,
  bodyBytes: 100_000,
};

it('makes the router place, keep and move a conversation where admission says', () => {
  const router = createRouter({ replicaCount: 3 });
  const replicas = [2, 2, 1].map(
    (replica, turn) => router.acquire(request, confine(fleet, replica), policy, turn)?.decision.replica,
  );
  expect(replicas).toEqual([2, 2, 1]);
  expect(router.home('a', 10)?.replica).toBe(1);
});

it('changes nothing where the router is to decide, and where the replica is down', () => {
  expect(confine(fleet, null)).toBe(fleet);
  const down = { ...fleet, replicas: [{ ...up, up: false }, up, up] };
  expect(confine(down, 0)).toBe(down);
});
