import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedBuffer } from './bounded-buffer.ts';

describe('a bounded buffer', () => {
  it('gives back the newest rows in their order, and counts those that gave way', () => {
    const action = fc.oneof(
      fc.record({ push: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ take: fc.integer({ min: 0, max: 12 }) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(action), (limit, actions) => {
        const buffer = createBoundedBuffer<number>(limit);
        let expected: number[] = [];
        let pushed = 0;
        let dropped = 0;
        for (const step of actions) {
          if ('take' in step) {
            expect(buffer.take(step.take)).toEqual(expected.slice(0, step.take));
            expected = expected.slice(step.take);
          } else {
            for (let count = 0; count < step.push; count += 1) {
              pushed += 1;
              buffer.push(pushed);
              expected.push(pushed);
              if (expected.length > limit) {
                expected.shift();
                dropped += 1;
              }
            }
          }
          expect(buffer.size()).toBe(expected.length);
          expect(buffer.dropped()).toBe(dropped);
        }
      }),
    );
  });
});
