import { describe, expect, it } from 'vitest';
import { type BalancerKind, createBalancer } from './balancer.ts';
import type { ReplicaGauges } from './replica.ts';

const idle: ReplicaGauges = { running: 0, waiting: 0, kvUsage: 0 };

function start(kind: BalancerKind, process = 0, processes = 1) {
  const loads = [idle, idle, idle, idle];
  const balancer = createBalancer({ kind, ranks: 4, process, processes, loads: () => [...loads] });
  const send = (now: number) => {
    const rank = balancer.choose(now);
    balancer.dispatched(rank);
    return rank;
  };
  return { balancer, loads, send };
}

describe('round-robin balancer', () => {
  it('goes round whatever the load, each API server from a place of its own', () => {
    const { loads, send } = start('round-robin');
    loads[1] = { running: 30, waiting: 10, kvUsage: 1 };
    expect([0, 1, 2, 3, 4].map(send)).toEqual([0, 1, 2, 3, 0]);
    expect(start('round-robin', 2, 4).send(0)).toBe(2);
  });
});

describe('load-aware balancer', () => {
  it('takes the rank with the fewest running and waiting requests', () => {
    const { loads, send } = start('load-aware');
    loads[0] = { running: 3, waiting: 0, kvUsage: 0.5 };
    loads[1] = { running: 1, waiting: 1, kvUsage: 0.5 };
    loads[2] = { running: 1, waiting: 0, kvUsage: 0.5 };
    loads[3] = { running: 2, waiting: 0, kvUsage: 0.5 };
    expect(send(0)).toBe(2);
  });

  it('rotates ties', () => {
    const { balancer, send } = start('load-aware');
    const chosen = [0, 1, 2, 3].map((index) => {
      const rank = send(index * 1000);
      balancer.ended(rank);
      return rank;
    });
    expect(chosen).toEqual([0, 1, 2, 3]);
  });

  it('does not see a change of load within 100 ms, but counts what it sent itself', () => {
    const { loads, send } = start('load-aware');
    expect(send(0)).toBe(0);
    loads.splice(1, 3, { ...idle, running: 5 }, { ...idle, running: 5 }, { ...idle, running: 5 });
    expect(send(50)).toBe(1);
    expect(send(150)).toBe(0);
  });

  it('counts pinned requests too', () => {
    const { balancer, send } = start('load-aware');
    for (const rank of [0, 0, 1, 2]) balancer.dispatched(rank);
    expect(send(0)).toBe(3);
  });

  it('shies away from a full cache only where requests wait', () => {
    const { loads, send } = start('load-aware');
    const others = { running: 5, waiting: 0, kvUsage: 1 };
    loads.splice(0, 4, others, others, others, { running: 1, waiting: 2, kvUsage: 0.9 });
    // 3 + 6·2·0.4 = 7.8 against 5.
    expect(send(0)).toBe(0);
  });
});
