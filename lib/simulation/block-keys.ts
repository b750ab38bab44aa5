import type { TokenIds } from './tokens.ts';

/**
 * Keys of a token sequence's full blocks. A key stands for the block's tokens and everything before them (each is
 * mixed from the key before it), so equal keys mean equal prefixes. Two 32-bit lanes make one 53-bit number: a plain
 * Map key, and a collision is out of reach for the few million blocks of a run.
 */
export class BlockKeys {
  private readonly blockSize: number;
  private readonly keys: number[] = [];
  private low = 0x2545f491;
  private high = 0x9e3779b9;
  private pending = 0;

  constructor(blockSize: number) {
    this.blockSize = blockSize;
  }

  /** Number of full blocks so far. */
  get length(): number {
    return this.keys.length;
  }

  /** The key of full block `index`; throws beyond the last. */
  at(index: number): number {
    const key = this.keys[index];
    if (key === undefined) throw new RangeError(`block ${index} is not full yet (${this.keys.length} are)`);
    return key;
  }

  /** Extends the sequence by `tokens[from..to)`. */
  append(tokens: TokenIds, from: number, to: number): void {
    let { low, high, pending } = this;
    for (let index = from; index < to; index++) {
      const token = tokens[index] ?? 0;
      low = Math.imul(low ^ token, 0x9e3779b1);
      low ^= low >>> 15;
      high = Math.imul(high ^ token, 0x85ebca6b) + low;
      high ^= high >>> 13;
      pending += 1;
      if (pending === this.blockSize) {
        pending = 0;
        low = Math.imul(low ^ (low >>> 16), 0x7feb352d);
        high = Math.imul(high ^ (high >>> 15), 0xc2b2ae35);
        this.keys.push((high >>> 11) * 0x1_0000_0000 + (low >>> 0));
      }
    }
    this.low = low;
    this.high = high;
    this.pending = pending;
  }
}
