import type { Condition, ReplicaView } from './types.ts';

type Counts = { readonly tokens: number; readonly waiting: number };

/**
 * A replica is stuck while requests wait, no fewer than when it last made a token, and it makes none. A long prompt
 * makes none either until it is read; the time that the alert waits is longer than that.
 */
export function createStuckRule(): (replicas: readonly ReplicaView[], at: number) => readonly Condition[] {
  /** By replica: what it said when it last made a token. */
  const stalls = new Map<string, Counts>();
  const stalledSince = new Map<string, number>();
  /** By replica: what the reading before was taken for. A look at the same reading says the same. */
  const judged = new Map<string, { readonly readAt: number; readonly state: Condition['state'] }>();

  const stateOf = (view: ReplicaView, key: string, at: number): Condition['state'] => {
    const { readAt, tokens, waiting } = view;
    if (readAt === null || tokens === null || waiting === null) return 'between';
    const before = judged.get(key);
    if (before?.readAt === readAt) return before.state;
    const state = judge({ tokens, waiting }, key, at);
    judged.set(key, { readAt, state });
    return state;
  };

  const judge = ({ tokens, waiting }: Counts, key: string, at: number): Condition['state'] => {
    const stall = stalls.get(key);
    if (stall === undefined || tokens !== stall.tokens || waiting === 0) {
      stalls.set(key, { tokens, waiting });
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
