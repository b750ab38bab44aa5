/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A small seeded generator (mulberry32): the same seed gives the same run on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** A factor around 1 whose logarithm is normal with deviation `sigma` (Box-Muller). `sigma` 0 gives 1. */
export function lognormalFactor(sigma: number, random: Random): number {
  if (sigma === 0) return 1;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(sigma * normal);
}
