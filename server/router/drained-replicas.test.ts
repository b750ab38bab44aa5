import { describe, expect, it } from 'vitest';
import { DrainedReplicas } from './drained-replicas.ts';
import { type EngineProcess, newEngineProcess, replicaPlaces } from './engine-process.ts';

const engine = (url: string, ranks: number | 'auto' = 1): EngineProcess => newEngineProcess(url, ranks);
const numbers = (drained: DrainedReplicas, count = 4): number[] =>
  Array.from({ length: count }, (_, replica) => replica).filter((replica) => drained.has(replica));

describe('drained replicas', () => {
  it('that are not here now are kept for the other wardens, and drain where they appear', () => {
    const [a, b, c] = [engine('http://a'), engine('http://b'), engine('http://c')];
    const drained = new DrainedReplicas();
    drained.renumber(replicaPlaces([a, b]));
    expect(drained.take(['http://c#0', 'http://b#0'])).toEqual([{ replica: 1, draining: true }]);
    drained.set(0, true);
    expect(new Set(drained.names)).toEqual(new Set(['http://a#0', 'http://b#0', 'http://c#0']));
    drained.renumber(replicaPlaces([b, a, c]));
    expect(numbers(drained)).toEqual([0, 1, 2]);
    drained.set(0, false);
    expect(new Set(drained.names)).toEqual(new Set(['http://a#0', 'http://c#0']));
  });

  it('of an engine whose ranks are not known yet drain once they are', () => {
    const a = engine('http://a', 'auto');
    const drained = new DrainedReplicas();
    drained.renumber(replicaPlaces([a]));
    expect(drained.take(['http://a#2'])).toEqual([]);
    a.ranks = 4;
    drained.renumber(replicaPlaces([a]));
    expect(numbers(drained)).toEqual([2]);
  });

  it('are not at a place whose replica has left, though its name is that of one elsewhere', () => {
    const [gone, back] = [{ ...engine('http://a'), isGone: true }, engine('http://a')];
    const drained = new DrainedReplicas();
    drained.renumber(replicaPlaces([gone, back]));
    expect(drained.take(['http://a#0'])).toEqual([{ replica: 1, draining: true }]);
    expect(drained.take([])).toEqual([{ replica: 1, draining: false }]);
  });

  it('do not pile up while replicas come and go elsewhere', () => {
    const drained = new DrainedReplicas();
    drained.renumber(replicaPlaces([engine('http://a')]));
    const names = Array.from({ length: 3_000 }, (_, index) => `http://pod-${index}#0`);
    drained.take(['http://a#0', ...names]);
    expect(drained.names).toHaveLength(1_001);
    expect(drained.names).toContain('http://pod-2999#0');
    expect(numbers(drained)).toEqual([0]);
  });
});
