import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockKeys } from './block-keys.ts';

const keysOf = (tokens: number[]) => {
  const keys = new BlockKeys(16);
  keys.append(Uint32Array.from(tokens), 0, tokens.length);
  return Array.from({ length: keys.length }, (_, index) => keys.at(index));
};
const count = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index);

describe('BlockKeys', () => {
  it('keys only full blocks', () => {
    expect(keysOf(count(15))).toHaveLength(0);
    expect(keysOf(count(16))).toHaveLength(1);
    expect(keysOf(count(47))).toHaveLength(2);
  });

  it('refuses the key of a block that is not full', () => {
    const keys = new BlockKeys(16);
    keys.append(Uint32Array.from(count(20)), 0, 20);
    expect(() => keys.at(1)).toThrow(RangeError);
  });

  it('gives equal prefixes equal keys, and keeps the rest apart', () => {
    const first = keysOf([...count(32), ...count(16, 100)]);
    const second = keysOf([...count(32), ...count(16, 200)]);
    expect(second.slice(0, 2)).toEqual(first.slice(0, 2));
    expect(second[2]).not.toBe(first[2]);
  });

  it('keys a block by everything before it, not by its own tokens alone', () => {
    const [, after] = keysOf([...count(16), ...count(16, 500)]);
    const [, afterOther] = keysOf([...count(16, 1), ...count(16, 500)]);
    expect(after).not.toBe(afterOther);
  });

  it('gives the same keys however the tokens are fed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 200 }), fc.nat(200), (tokens, cut) => {
        const ids = Uint32Array.from(tokens);
        const split = Math.min(cut, ids.length);
        const keys = new BlockKeys(16);
        keys.append(ids, 0, split);
        keys.append(ids, split, ids.length);
        expect(Array.from({ length: keys.length }, (_, index) => keys.at(index))).toEqual(keysOf(tokens));
      }),
    );
  });

  it('does not collide over a few hundred thousand blocks', () => {
    const keys = new BlockKeys(1);
    const tokens = Uint32Array.from(count(300_000)).map((index) => index % 7);
    keys.append(tokens, 0, tokens.length);
    expect(new Set(Array.from({ length: keys.length }, (_, index) => keys.at(index))).size).toBe(300_000);
  });
});
