import type { BlockKeys } from './block-keys.ts';

const NO_KEY = -1;
/** Block 0 is never handed out (vLLM reserves it); here it also ends the lists. */
const NONE = 0;

/**
 * The KV cache of one replica. A block is referenced by requests or waits in the free queue, whose head is handed out
 * next; content that waits there stays findable until then. So the free queue is the LRU list, and "free" counts
 * cached but idle blocks.
 */
export class BlockPool {
  readonly size: number;
  private readonly references: Int32Array;
  private readonly keys: Float64Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  /** Next block with the same key: two requests that compute one prefix at once each keep a copy. */
  private readonly twin: Int32Array;
  private readonly found = new Map<number, number>();
  private head = NONE;
  private tail = NONE;
  private free = 0;

  constructor(blockCount: number) {
    this.size = blockCount - 1;
    this.references = new Int32Array(blockCount);
    this.keys = new Float64Array(blockCount).fill(NO_KEY);
    this.next = new Int32Array(blockCount);
    this.previous = new Int32Array(blockCount);
    this.twin = new Int32Array(blockCount);
    for (let block = 1; block < blockCount; block++) this.pushBack(block);
  }

  get freeCount(): number {
    return this.free;
  }

  /** Share of blocks that requests reference, 0..1. */
  get usage(): number {
    return this.size === 0 ? 0 : 1 - this.free / this.size;
  }

  /** Blocks that hold the start of a sequence: up to the first that is not there, and at most `limit`. */
  findPrefix(keys: BlockKeys, limit: number): number[] {
    const blocks: number[] = [];
    while (blocks.length < limit) {
      const block = this.found.get(keys.at(blocks.length));
      if (block === undefined) break;
      blocks.push(block);
    }
    return blocks;
  }

  /** True where no request references the block. */
  isIdle(block: number): boolean {
    return this.references[block] === 0;
  }

  /** Takes one more reference to a block that holds wanted content. */
  touch(block: number): void {
    const references = this.references[block] ?? 0;
    if (references === 0) this.unlink(block);
    this.references[block] = references + 1;
  }

  /** Hands out the least recently freed block, whose old content is lost. The caller has checked `freeCount`. */
  take(): number {
    const block = this.head;
    if (block === NONE) throw new Error('no free block');
    this.unlink(block);
    this.forget(block);
    this.references[block] = 1;
    return block;
  }

  /** Makes a block findable. */
  setKey(block: number, key: number): void {
    this.keys[block] = key;
    const first = this.found.get(key);
    if (first === undefined) {
      this.found.set(key, block);
      return;
    }
    this.twin[block] = this.twin[first] ?? NONE;
    this.twin[first] = block;
  }

  /**
   * Returns the blocks of a request, last first: the tail of a conversation is evicted before its head. Blocks that
   * were never keyed are used up first.
   */
  release(blocks: readonly number[]): void {
    for (let index = blocks.length - 1; index >= 0; index--) {
      const block = blocks[index] ?? NONE;
      const references = (this.references[block] ?? 0) - 1;
      this.references[block] = references;
      if (references > 0) continue;
      if (this.keys[block] === NO_KEY) this.pushFront(block);
      else this.pushBack(block);
    }
  }

  private forget(block: number): void {
    const key = this.keys[block] ?? NO_KEY;
    if (key === NO_KEY) return;
    const after = this.twin[block] ?? NONE;
    const first = this.found.get(key);
    if (first === block) {
      if (after === NONE) this.found.delete(key);
      else this.found.set(key, after);
    } else {
      let before = first ?? NONE;
      while (before !== NONE && this.twin[before] !== block) before = this.twin[before] ?? NONE;
      if (before !== NONE) this.twin[before] = after;
    }
    this.twin[block] = NONE;
    this.keys[block] = NO_KEY;
  }

  private pushBack(block: number): void {
    this.previous[block] = this.tail;
    this.next[block] = NONE;
    if (this.tail === NONE) this.head = block;
    else this.next[this.tail] = block;
    this.tail = block;
    this.free += 1;
  }

  private pushFront(block: number): void {
    this.next[block] = this.head;
    this.previous[block] = NONE;
    if (this.head === NONE) this.tail = block;
    else this.previous[this.head] = block;
    this.head = block;
    this.free += 1;
  }

  private unlink(block: number): void {
    const before = this.previous[block] ?? NONE;
    const after = this.next[block] ?? NONE;
    if (before === NONE) this.head = after;
    else this.next[before] = after;
    if (after === NONE) this.tail = before;
    else this.previous[after] = before;
    this.free -= 1;
  }
}
