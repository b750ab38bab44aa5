import type { Condition, ReplicaView } from './types.ts';

type Stall = { readonly tokens: number; readonly waiting: number; readonly readAt: number };

/**
 * A replica is stuck while requests wait, no fewer than when it last made a token, and it makes none. A long prompt
 * makes none either until it is read; the time that the alert waits is longer than that.
 */
export function createStuckRule(): (replicas: readonly ReplicaView[], at: number) => readonly Condition[] {
  /** By replica: what it said when it last made a token. */
  const stalls = new Map<string, Stall>();
  const stalledSince = new Map<string, number>();

  const stateOf = (view: ReplicaView, key: string, at: number): Condition['state'] => {
    const { readAt, tokens, waiting } = view;
    if (readAt === null || tokens === null || waiting === null) return 'between';
    const stall = stalls.get(key);
    if (stall !== undefined && readAt === stall.readAt) return 'between';
    if (stall === undefined || tokens !== stall.tokens || waiting === 0) {
      stalls.set(key, { tokens, waiting, readAt });
      stalledSince.set(key, at);
      return 'good';
    }
    return waiting >= stall.waiting ? 'bad' : 'between';
  };

  return (replicas, at) =>
    replicas.map((view) => {
      const { model, replica, url, waiting } = view;
      const key = JSON.stringify([model, replica, url]);
      const state = stateOf(view, key, at);
      const seconds = Math.round((at - (stalledSince.get(key) ?? at)) / 1000);
      return {
        code: 'replica_stuck',
        severity: 'critical',
        subject: { model, replica, url },
        state,
        values: { waiting: waiting ?? 0, seconds },
      };
    });
}
