import { describe, expect, it } from 'vitest';
import { SharedClock } from './shared-clock.ts';

/** A reading at `now` of a clock that is `ahead`, of which the answer took `tripMs`, all of it on the way back. */
const reading = (now: number, ahead: number, tripMs: number) => ({
  askedAt: now,
  sharedNow: now + ahead,
  answeredAt: now + tripMs,
});

describe('the clock of the shared memory', () => {
  it('is as well known as the quickest of the last readings tells', () => {
    const clock = new SharedClock();
    clock.read(reading(0, 5000, 2));
    clock.read(reading(1000, 5000, 900));
    expect(clock.aheadMs).toBe(4999);
    for (let index = 2; index < 40; index += 1) clock.read(reading(index * 1000, 5000, 100));
    expect(clock.aheadMs).toBe(4950);
  });

  it('is read anew where one of the clocks was set', () => {
    const clock = new SharedClock();
    clock.read(reading(0, 5000, 2));
    clock.read(reading(1000, -60_000, 40));
    expect(clock.aheadMs).toBe(-60_020);
  });
});
