import { describe, expect, it } from 'vitest';
import { BlockKeys } from './block-keys.ts';
import { BlockPool } from './block-pool.ts';

const keysOf = (blocks: number, from = 0) => {
  const keys = new BlockKeys(1);
  keys.append(
    Uint32Array.from({ length: blocks }, (_, index) => from + index),
    0,
    blocks,
  );
  return keys;
};

/** A request's life: takes blocks for all of `keys` that are not found, keys them. Returns the blocks it holds. */
function hold(pool: BlockPool, keys: BlockKeys): number[] {
  const blocks = pool.findPrefix(keys, keys.length);
  for (const block of blocks) pool.touch(block);
  for (let index = blocks.length; index < keys.length; index++) {
    const block = pool.take();
    pool.setKey(block, keys.at(index));
    blocks.push(block);
  }
  return blocks;
}

describe('BlockPool', () => {
  it('keeps one block in reserve, as vLLM does', () => {
    const pool = new BlockPool(5);
    expect(pool.freeCount).toBe(4);
    for (let taken = 0; taken < 4; taken++) pool.take();
    expect(() => pool.take()).toThrow('no free block');
    expect(pool.usage).toBe(1);
  });

  it('finds released content until its block is handed out again', () => {
    const pool = new BlockPool(4);
    const keys = keysOf(2);
    pool.release(hold(pool, keys));
    expect(pool.usage).toBe(0);
    expect(pool.findPrefix(keys, 2)).toHaveLength(2);
    for (let taken = 0; taken < 3; taken++) pool.take();
    expect(pool.findPrefix(keys, 2)).toHaveLength(0);
  });

  it('evicts the tail of a sequence before its head', () => {
    const pool = new BlockPool(5);
    const keys = keysOf(4);
    pool.release(hold(pool, keys));
    pool.take();
    expect(pool.findPrefix(keys, 4)).toHaveLength(3);
    pool.take();
    expect(pool.findPrefix(keys, 4)).toHaveLength(2);
  });

  it('evicts the least recently used sequence first', () => {
    const pool = new BlockPool(5);
    const old = keysOf(2, 100);
    const recent = keysOf(2, 200);
    const touched = hold(pool, old);
    pool.release(hold(pool, recent));
    pool.release(touched);
    pool.release(hold(pool, recent));
    pool.take();
    pool.take();
    expect(pool.findPrefix(old, 2)).toHaveLength(0);
    expect(pool.findPrefix(recent, 2)).toHaveLength(2);
  });

  it('uses up blocks without content before cached ones', () => {
    const pool = new BlockPool(5);
    const keys = keysOf(2);
    const unkeyed = [pool.take(), pool.take()];
    pool.release(hold(pool, keys));
    pool.release(unkeyed);
    pool.take();
    pool.take();
    expect(pool.findPrefix(keys, 2)).toHaveLength(2);
  });

  it('never hands out a block while anyone references it', () => {
    const pool = new BlockPool(3);
    const keys = keysOf(1);
    const first = hold(pool, keys);
    const second = hold(pool, keys);
    expect(second).toEqual(first);
    pool.release(first);
    expect(pool.freeCount).toBe(1);
    pool.release(second);
    expect(pool.freeCount).toBe(2);
  });

  it('keeps content findable while one of its copies is left', () => {
    for (const evicted of [0, 1]) {
      const pool = new BlockPool(4);
      const keys = keysOf(1);
      const copies = [pool.take(), pool.take()];
      for (const block of copies) pool.setKey(block, keys.at(0));
      // The one released first is handed out first, after the block that was never used.
      pool.release([copies[evicted] ?? 0]);
      pool.take();
      pool.take();
      expect(pool.findPrefix(keys, 1)).toEqual([copies[1 - evicted]]);
    }
  });
});
