import { describe, expect, it } from 'vitest';
import { Pauses, type TurnCosts } from './pauses.ts';

const COSTS: TurnCosts = {
  coldMs: 2500,
  warmMs: 200,
  decodeMs: 8000,
  places: 4,
  conversations: 6,
  mostMs: 20_000,
};

/** A kind of conversation whose pauses are these, over and over. */
function pausesOf(pauses: readonly number[], rounds: number): Pauses {
  const learned = new Pauses();
  for (let round = 0; round < rounds; round += 1) {
    for (const pause of pauses) {
      learned.answered();
      learned.returned(pause);
    }
  }
  return learned;
}

describe('how long a silent conversation keeps its place', () => {
  it('is about the pauses, where they are short', () => {
    const keepMs = pausesOf([100, 150], 50).keepMs(COSTS);
    expect(keepMs).toBeGreaterThanOrEqual(150);
    expect(keepMs).toBeLessThan(400);
  });

  it('is nothing, where they cost more than a cold prompt', () => {
    expect(pausesOf([20_000, 40_000, 60_000], 50).keepMs(COSTS)).toBe(0);
  });

  it('is longer for conversations that take long to compute anew', () => {
    const pauses = pausesOf([2000, 5000, 8000, 11_000], 50);
    const cheap = pauses.keepMs({ ...COSTS, coldMs: 300, mostMs: 1200 });
    const dear = pauses.keepMs({ ...COSTS, coldMs: 15_000, mostMs: 60_000 });
    expect(cheap).toBe(0);
    expect(dear).toBeGreaterThanOrEqual(11_000);
  });

  it('is nothing, where nearly all come back later than a place may be kept, even with room for all', () => {
    const pauses = pausesOf([8000, 15_000, 30_000], 50);
    expect(pauses.keepMs({ ...COSTS, coldMs: 3000, places: 1, conversations: 1, mostMs: 3000 })).toBe(0);
  });

  it('is never longer than a cold prompt is worth', () => {
    const pauses = pausesOf([60_000], 50);
    expect(pauses.keepMs({ ...COSTS, conversations: 2, mostMs: 3000 })).toBeLessThanOrEqual(3000);
  });
});

describe('what silence means', () => {
  it('is little while the pauses are about that long, and the end when they are far shorter', () => {
    const pauses = pausesOf([900, 1000, 1100], 40);
    expect(pauses.chanceOfReturn(500)).toBeGreaterThan(0.9);
    expect(pauses.chanceOfReturn(5000)).toBe(0);
    expect(pauses.aliveMs).toBeGreaterThanOrEqual(2000);
    expect(pauses.aliveMs).toBeLessThan(5000);
  });

  it('counts answers that were followed by nothing', () => {
    const pauses = new Pauses();
    for (let index = 0; index < 200; index += 1) {
      pauses.answered();
      if (index % 2 === 0) pauses.returned(1000);
    }
    expect(pauses.chanceOfReturn(0)).toBeGreaterThan(0.4);
    expect(pauses.chanceOfReturn(0)).toBeLessThan(0.6);
  });

  it('is not told by the first pauses, which are the short ones, while most answers have not been followed yet', () => {
    const pauses = new Pauses();
    for (let index = 0; index < 30; index += 1) pauses.answered();
    for (let index = 0; index < 10; index += 1) pauses.returned(500);
    expect(pauses.isKnown).toBe(false);
    for (let index = 0; index < 20; index += 1) pauses.returned(30_000);
    expect(pauses.isKnown).toBe(true);
  });
});
