import { describe, expect, it } from 'vitest';
import { rendezvous } from './rendezvous.ts';

const IDS = ['http://a:1#0', 'http://a:1#1', 'http://b:1#0', 'http://b:1#1'];
const KEYS = Array.from({ length: 4000 }, (_, index) => `conversation ${index}`);
const all = () => true;
const idOf = (key: string, ids: readonly string[], eligible: (index: number) => boolean = all) => {
  const chosen = rendezvous(key, ids, eligible);
  return chosen === null ? null : ids[chosen];
};

describe('rendezvous', () => {
  it('chooses the same replica whatever the order in which one knows them', () => {
    const others = [...IDS].reverse();
    for (const key of KEYS) expect(idOf(key, others)).toBe(idOf(key, IDS));
  });

  it('gives each replica about its share', () => {
    const counts = IDS.map((id) => KEYS.filter((key) => idOf(key, IDS) === id).length);
    for (const count of counts) expect(Math.abs(count - KEYS.length / IDS.length)).toBeLessThan(120);
  });

  it('moves only the conversations of a replica that went away', () => {
    const isThere = (index: number) => index !== 1;
    for (const key of KEYS) {
      const before = idOf(key, IDS);
      if (before !== IDS[1]) expect(idOf(key, IDS, isThere)).toBe(before);
    }
  });

  it('chooses none where none is eligible', () => {
    expect(rendezvous('a', IDS, () => false)).toBeNull();
  });
});
