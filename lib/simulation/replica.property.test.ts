import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PRESETS } from './profile.ts';
import { createRandom } from './random.ts';
import { Replica } from './replica.ts';
import { driveReplica } from './replica-driver.ts';
import { createVirtualTime } from './virtual-time.ts';

const SMALL = { ...PRESETS.a4000x4, maxModelLen: 400, maxNumSeqs: 3, maxNumBatchedTokens: 96, numBlocks: 28 };

const request = fc.record({
  /** Requests of one family share their prompts as far as they go. */
  family: fc.nat(2),
  prompt: fc.integer({ min: 1, max: 300 }),
  output: fc.integer({ min: 1, max: 100 }),
  arrivesAt: fc.nat(3000),
  leavesAfter: fc.option(fc.nat(4000), { nil: null }),
});

const ids = (length: number, from: number) => Uint32Array.from({ length }, (_, index) => from + index);

it('serves or drops every request, whatever comes, and gives all blocks back', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 25 }), fc.nat(), (requests, seed) => {
      const clock = createVirtualTime();
      const replica = new Replica(SMALL, createRandom(seed));
      const driver = driveReplica(replica, clock);
      const told = requests.map(() => ({ tokens: 0, finished: 0, left: false }));
      for (const [index, { family, prompt, output, arrivesAt, leavesAfter }] of requests.entries()) {
        const own = told[index] ?? { tokens: 0, finished: 0, left: false };
        clock.at(arrivesAt, () => {
          const sequence = driver.submit(
            {
              prompt: ids(prompt, family * 1000),
              output: ids(output, index * 1000 + 9000),
              finish: 'stop',
              onToken: ({ index: place, finish, cachedTokens }) => {
                expect(own.left).toBe(false);
                expect(place).toBe(own.tokens);
                expect(cachedTokens).toBeLessThan(prompt);
                own.tokens += 1;
                if (finish !== null) own.finished += 1;
              },
            },
            5,
          );
          if (leavesAfter === null) return;
          clock.at(clock.now() + leavesAfter, () => {
            own.left = own.finished === 0;
            driver.abort(sequence);
          });
        });
      }
      clock.runAll();
      for (const [index, { output }] of requests.entries()) {
        const own = told[index];
        if (own?.left) expect(own.finished).toBe(0);
        else expect(own).toEqual({ tokens: output, finished: 1, left: false });
      }
      const left = told.filter((own) => own.left).length;
      expect(replica.counters.finished).toEqual({ stop: requests.length - left, length: 0, abort: left });
      expect(replica.gauges()).toEqual({ running: 0, waiting: 0, kvUsage: 0 });
    }),
    { numRuns: 200 },
  );
});
