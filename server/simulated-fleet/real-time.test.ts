import { describe, expect, it } from 'vitest';
import { eventually } from './fleet-testing.ts';
import { createRealTime } from './real-time.ts';

describe('real time', () => {
  it('makes up for a late timer instead of drifting', async () => {
    const clock = createRealTime(1);
    const startedAt = clock.now();
    const ran: { due: number; late: number }[] = [];
    const step = (due: number) => {
      ran.push({ due: due - startedAt, late: clock.now() - due });
      if (ran.length < 8) clock.at(due + 5, step);
    };
    clock.at(startedAt + 5, step);
    while (clock.now() < startedAt + 100) {
      // The event loop is busy with something else.
    }
    await eventually(() => ran.length === 8);
    // Rounding: sums of floating-point milliseconds.
    expect(ran.map(({ due }) => Math.round(due))).toEqual([5, 10, 15, 20, 25, 30, 35, 40]);
    expect(ran.every(({ late }) => late >= 0)).toBe(true);
    clock.stop();
  });

  it('runs an event that comes before the one it waits for', async () => {
    const clock = createRealTime(1);
    const ran: string[] = [];
    clock.at(clock.now() + 60_000, () => ran.push('later'));
    clock.at(clock.now() + 20, () => ran.push('sooner'));
    await eventually(() => ran.length > 0);
    expect(ran).toEqual(['sooner']);
    clock.stop();
  });

  it('holds no timer when there is nothing to do, or after it was stopped', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const clock = createRealTime(1);
    expect(timers()).toBe(before);
    clock.at(clock.now() + 60_000, () => {});
    expect(timers()).toBe(before + 1);
    clock.stop();
    expect(timers()).toBe(before);
    clock.at(clock.now() + 60_000, () => {});
    expect(timers()).toBe(before);
  });
});
