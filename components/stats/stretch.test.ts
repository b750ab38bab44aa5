import { describe, expect, it } from 'vitest';
import { fieldTime, readStretch } from './stretch.ts';

const now = Date.UTC(2026, 10, 30, 12, 4, 31);
const at = (hours: number) => fieldTime(now - hours * 3_600_000);

describe('a stretch of time as typed', () => {
  it('is read in local time, to the minute', () => {
    const read = readStretch(at(3), at(1), now);
    const minute = (hours: number) => new Date(Math.floor((now - hours * 3_600_000) / 60_000) * 60_000).toISOString();
    expect(read).toEqual({ kind: 'ready', stretch: { from: minute(3), to: minute(1) } });
  });

  it('may end in the future, which is now', () => {
    expect(readStretch(at(3), at(-1), now)).toMatchObject({ kind: 'ready' });
  });

  it.each([
    ['', at(1), 'unreadable'],
    [at(1), at(2), 'backwards'],
    [at(1), at(1), 'backwards'],
    [at(-1), at(-2), 'future'],
    [at(24 * 401), at(1), 'tooOld'],
  ] as const)('from %s to %s is refused: %s', (from, to, problem) => {
    expect(readStretch(from, to, now)).toEqual({ kind: 'problem', problem });
  });
});
