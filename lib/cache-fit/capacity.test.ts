import { describe, expect, it } from 'vitest';
import { Capacity } from './capacity.ts';

describe('the capacity of a cache', () => {
  it('is what the engine reports, whatever the hits say', () => {
    const capacity = new Capacity(40_000);
    capacity.learn(10_000, 5000, 0);
    expect(capacity).toMatchObject({ tokens: 40_000, isLearned: false });
  });

  it('is unknown until a history was lost', () => {
    const capacity = new Capacity(null);
    capacity.learn(20_000, 5000, 4990);
    expect(capacity.tokens).toBeNull();
    capacity.learn(38_000, 5000, 100);
    expect(capacity).toMatchObject({ tokens: 38_000, isLearned: true });
  });

  it('falls with a loss at a shorter distance and rises with a find at a longer one', () => {
    const capacity = new Capacity(null);
    capacity.learn(50_000, 5000, 0);
    capacity.learn(30_000, 5000, 0);
    expect(capacity.tokens).toBe(30_000);
    capacity.learn(36_000, 5000, 5000);
    expect(capacity.tokens).toBe(36_000);
  });

  it('creeps up while everything is found, so that a low estimate is not for ever', () => {
    const capacity = new Capacity(null);
    capacity.learn(10_000, 5000, 0);
    for (let turn = 0; turn < 500; turn += 1) capacity.learn(9000, 5000, 5000);
    expect(capacity.tokens).toBeGreaterThan(20_000);
  });

  it('forgets what it learned as long as the engine reports', () => {
    const capacity = new Capacity(null);
    capacity.learn(10_000, 5000, 0);
    capacity.report(64_000);
    expect(capacity).toMatchObject({ tokens: 64_000, isLearned: false });
  });
});
