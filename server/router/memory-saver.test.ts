import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineMark, RouterMemory } from '#server/store/store.ts';
import { createMemorySaver } from './memory-saver.ts';

const NOW = 1_800_000_000_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function saver() {
  const saved: (number | null)[] = [];
  let engines: readonly EngineMark[] = [{ url: 'http://a', processStartTime: 1, tokensTotal: 1, ranks: 2 }];
  const take = (usedSince: number | null): RouterMemory => {
    return { homes: [], isPartial: usedSince !== null, since: usedSince ?? 0, tallies: [], unrouted: 0, engines };
  };
  const save = ({ isPartial, since }: RouterMemory) => void saved.push(isPartial === true ? since - NOW : null);
  const memory = createMemorySaver({ take, save, now: Date.now });
  memory.start();
  const setRanks = (ranks: number): void => {
    engines = engines.map((mark) => ({ ...mark, ranks }));
  };
  return { saved, memory, setRanks };
}

describe('what the router remembers', () => {
  it('is saved within a tenth of a second, all at first and then what was used since', () => {
    const { saved, memory } = saver();
    memory.changed();
    vi.advanceTimersByTime(100);
    expect(saved).toEqual([null]);
    memory.changed();
    vi.advanceTimersByTime(100);
    expect(saved).toEqual([null, 100]);
  });

  it('is saved whole every five seconds, and at once where homes were moved or engines have other numbers', () => {
    const { saved, memory, setRanks } = saver();
    for (let tenth = 0; tenth < 60; tenth += 1) {
      memory.changed();
      vi.advanceTimersByTime(100);
    }
    expect(saved.flatMap((since, index) => (since === null ? [index] : []))).toEqual([0, 50]);
    memory.replaced();
    vi.advanceTimersByTime(100);
    expect(saved.at(-1)).toBeNull();
    setRanks(4);
    memory.changed();
    vi.advanceTimersByTime(100);
    expect(saved.at(-1)).toBeNull();
  });

  it('is not saved while nothing changes, and whole at the end where something did', () => {
    const { saved, memory } = saver();
    vi.advanceTimersByTime(10_000);
    expect(saved).toEqual([]);
    memory.changed();
    memory.stop();
    expect(saved).toEqual([null]);
    vi.advanceTimersByTime(10_000);
    expect(saved).toEqual([null]);
  });

  it('is saved whole where the clock was set back', () => {
    const { saved, memory } = saver();
    memory.changed();
    vi.advanceTimersByTime(1000);
    vi.setSystemTime(NOW - 2000);
    memory.changed();
    vi.advanceTimersByTime(100);
    expect(saved).toEqual([null, null]);
  });
});
