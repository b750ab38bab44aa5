import { describe, expect, it } from 'vitest';
import { isLastOpen, staysReachable } from './drain-words.ts';
import { replicaRouting } from './replica-for-tests.ts';

describe('what draining comes to', () => {
  it('is nothing yet for the last replica that takes conversations', () => {
    const last = replicaRouting(0);
    const closed = [replicaRouting(1, { draining: true }), replicaRouting(2, { health: 'down' })];
    expect(isLastOpen(last, { affinity: true, replicas: [last, ...closed] })).toBe(true);
    expect(isLastOpen(last, { affinity: true, replicas: [last, ...closed, replicaRouting(3)] })).toBe(false);
  });

  it('does not keep an engine from its own rank while affinity is off', () => {
    const rank = replicaRouting(0);
    const alone = replicaRouting(0, { rank: null });
    expect(staysReachable(rank, { affinity: false, replicas: [rank] })).toBe(true);
    expect(staysReachable(rank, { affinity: true, replicas: [rank] })).toBe(false);
    expect(staysReachable(alone, { affinity: false, replicas: [alone] })).toBe(false);
  });
});
