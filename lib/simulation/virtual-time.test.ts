import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVirtualTime } from './virtual-time.ts';

describe('virtual time', () => {
  it('runs events in the order of their times, and of their arrival within one time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (times) => {
        const clock = createVirtualTime();
        const ran: { time: number; index: number }[] = [];
        for (const [index, time] of times.entries()) clock.at(time, (at) => ran.push({ time: at, index }));
        clock.runAll();
        const wanted = times
          .map((time, index) => ({ time, index }))
          .sort((a, b) => a.time - b.time || a.index - b.index);
        expect(ran).toEqual(wanted);
      }),
    );
  });

  it('stops where it is told and keeps later events', () => {
    const clock = createVirtualTime();
    const ran: number[] = [];
    for (const time of [10, 20, 30]) clock.at(time, (at) => ran.push(at));
    clock.runUntil(25);
    expect(ran).toEqual([10, 20]);
    expect(clock.now()).toBe(25);
    clock.runUntil(100);
    expect(ran).toEqual([10, 20, 30]);
  });

  it('runs what an event adds, and never in the past', () => {
    const clock = createVirtualTime();
    const ran: number[] = [];
    clock.at(10, () => clock.at(5, () => ran.push(clock.now())));
    clock.runAll();
    expect(ran).toEqual([10]);
  });
});
