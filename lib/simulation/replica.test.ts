import { describe, expect, it } from 'vitest';
import type { EngineProfile } from './profile.ts';
import { createRandom } from './random.ts';
import { Replica } from './replica.ts';
import { driveReplica } from './replica-driver.ts';
import type { TokenEvent } from './sequence.ts';
import { createVirtualTime } from './virtual-time.ts';

const PROFILE: EngineProfile = {
  maxModelLen: 512,
  maxNumSeqs: 4,
  maxNumBatchedTokens: 128,
  blockSize: 16,
  numBlocks: 65,
  timing: {
    baseMs: 10,
    perPrefillTokenMs: 0,
    perPrefillContextMs: 0,
    perDecodeContextMs: 0,
    jitterSigma: 0,
    apiBaseMs: 0,
    apiPerThousandTokensMs: 0,
  },
};

const ids = (length: number, from = 0) => Uint32Array.from({ length }, (_, index) => from + index);
const join = (...parts: Uint32Array[]) => Uint32Array.from(parts.flatMap((part) => [...part]));

function start(change: Partial<EngineProfile> = {}) {
  const clock = createVirtualTime();
  const replica = new Replica({ ...PROFILE, ...change }, createRandom(1));
  const driver = driveReplica(replica, clock);
  const submit = (prompt: Uint32Array<ArrayBuffer>, output = ids(1, 9000)) => {
    const events: TokenEvent[] = [];
    const sequence = driver.submit({ prompt, output, finish: 'stop', onToken: (event) => events.push(event) }, 0);
    return { events, abort: () => driver.abort(sequence) };
  };
  /** Runs one request to its end, alone. */
  const runAlone = (prompt: Uint32Array<ArrayBuffer>, output = ids(1, 9000)) => {
    const { events } = submit(prompt, output);
    clock.runAll();
    return events.at(-1)?.cachedTokens;
  };
  return { clock, replica, submit, runAlone };
}

describe('prefix cache of a replica', () => {
  it('reads a repeated prompt from the cache, but for its last block: one token must be computed', () => {
    const { runAlone } = start();
    expect(runAlone(ids(160))).toBe(0);
    expect(runAlone(ids(160))).toBe(144);
    expect(runAlone(ids(161))).toBe(160);
  });

  it('reads the whole previous turn, its answer included, when the next turn extends it', () => {
    const { runAlone } = start();
    const prompt = ids(100);
    const answer = ids(61, 5000);
    runAlone(prompt, answer);
    // 160 of 161 tokens: the last generated token was never fed back, and it would end no full block anyway.
    expect(runAlone(join(prompt, answer, ids(40, 7000)))).toBe(160);
  });

  it('does not count the last generated token as cached', () => {
    const { runAlone } = start();
    runAlone(ids(100), ids(60, 5000));
    expect(runAlone(join(ids(100), ids(60, 5000), ids(40, 7000)))).toBe(144);
  });

  it('shares a prefix between requests that are under way at once', () => {
    const { clock, submit } = start({ maxNumBatchedTokens: 256 });
    const first = submit(join(ids(64), ids(32, 1000)), ids(20, 9000));
    const second = submit(join(ids(64), ids(32, 2000)));
    clock.runAll();
    expect(first.events[0]?.cachedTokens).toBe(0);
    expect(second.events[0]?.cachedTokens).toBe(64);
  });

  it('loses an idle conversation from its end when others need the room', () => {
    const { runAlone } = start();
    runAlone(ids(400));
    // 64 blocks in all, 25 of them the first conversation's; 31 + 31 for two others evict some of those.
    runAlone(ids(496, 10_000));
    runAlone(ids(300, 20_000));
    expect(runAlone(ids(400))).toBe((64 - 31 - 19) * 16);
  });
});

describe('scheduler of a replica', () => {
  it('computes a long prompt in chunks of the token budget', () => {
    const { clock, submit } = start();
    const { events } = submit(ids(300));
    clock.runAll();
    expect(events.map((event) => event.at)).toEqual([30]);
  });

  it('gives one token a step to a running request while a long prompt is computed', () => {
    const { clock, submit } = start();
    const decoding = submit(ids(16), ids(6, 9000));
    clock.runUntil(5);
    const long = submit(ids(400, 1000));
    clock.runAll();
    expect(decoding.events.map((event) => event.at)).toEqual([10, 20, 30, 40, 50, 60]);
    // 127 + 127 + 127 + 19 tokens: each step's first token belongs to the decode.
    expect(long.events.map((event) => event.at)).toEqual([50]);
  });

  it('starts a second prompt with what the first leaves of the budget', () => {
    const { clock, submit } = start();
    // The first step carries this one alone; the others wait for the second.
    submit(ids(16, 90_000));
    clock.runUntil(5);
    const first = submit(ids(100));
    const second = submit(ids(50, 1000));
    const third = submit(ids(100, 2000));
    clock.runAll();
    expect(first.events[0]?.at).toBe(20);
    expect(second.events[0]?.at).toBe(30);
    expect(third.events[0]?.at).toBe(30);
  });

  it('runs at most max_num_seqs requests', () => {
    const { clock, replica, submit } = start({ maxNumSeqs: 2 });
    submit(ids(16, 90_000));
    clock.runUntil(5);
    const all = [0, 1, 2].map((index) => submit(ids(16, index * 100), ids(3, 9000)));
    clock.runUntil(15);
    expect(replica.gauges()).toMatchObject({ running: 2, waiting: 1 });
    clock.runAll();
    expect(all.map(({ events }) => events.at(-1)?.at)).toEqual([40, 40, 70]);
  });

  it('lets nobody overtake a prompt that does not fit', () => {
    const { clock, replica, submit } = start({ maxNumBatchedTokens: 1024 });
    submit(ids(500), ids(12, 9000));
    submit(ids(400, 1000), ids(12, 9000));
    const large = submit(ids(300, 2000));
    const small = submit(ids(16, 3000));
    clock.runUntil(15);
    expect(replica.gauges()).toMatchObject({ running: 2, waiting: 2 });
    clock.runAll();
    expect(small.events[0]?.at).toBe(large.events[0]?.at);
    expect(large.events[0]?.at).toBe(130);
  });

  it('preempts the newest request when decoding fills the cache, and that request still gives its whole answer', () => {
    const { clock, replica, submit } = start({ numBlocks: 34, maxNumBatchedTokens: 512 });
    const first = submit(ids(250), ids(100, 9000));
    const second = submit(ids(250, 1000), ids(100, 9500));
    clock.runAll();
    expect(replica.counters.preemptions).toBe(1);
    expect(first.events.map((event) => event.index)).toEqual(Array.from(ids(100)));
    expect(second.events).toHaveLength(100);
    expect(second.events.at(-1)?.at).toBeGreaterThan(first.events.at(-1)?.at ?? 0);
    expect(replica.counters.prefixQueries).toBe(500);
    expect(replica.counters.generationTokens).toBe(200);
  });

  it('lets nobody overtake a preempted request', () => {
    const { clock, replica, submit } = start({ numBlocks: 34, maxNumBatchedTokens: 512, maxNumSeqs: 2 });
    const first = submit(ids(250), ids(100, 9000));
    submit(ids(250, 1000), ids(100, 9500));
    const small = submit(ids(16, 2000));
    clock.runAll();
    expect(replica.counters.preemptions).toBe(1);
    expect(small.events[0]?.at).toBeGreaterThan(first.events.at(-1)?.at ?? 0);
  });

  it('refuses a request that no replica of its kind could hold', () => {
    const { submit } = start();
    expect(() => submit(ids(512))).toThrow(RangeError);
    expect(() => start({ numBlocks: 32 })).toThrow(RangeError);
  });
});

describe('aborts and counters of a replica', () => {
  it('drops a running request at its next step and keeps what it computed findable', () => {
    const { clock, replica, submit, runAlone } = start();
    const { events, abort } = submit(ids(160), ids(50, 9000));
    clock.runUntil(35);
    abort();
    expect(replica.gauges().running).toBe(1);
    clock.runAll();
    expect(replica.gauges()).toEqual({ running: 0, waiting: 0, kvUsage: 0 });
    expect(events).toHaveLength(2);
    expect(replica.counters.finished).toEqual({ stop: 0, length: 0, abort: 1 });
    expect(runAlone(ids(160))).toBe(144);
  });

  it('drops a queued request and one that has not reached the engine, and counts both', () => {
    const { clock, replica, submit } = start({ maxNumSeqs: 1 });
    submit(ids(16), ids(10, 9000));
    const queued = submit(ids(16, 100));
    clock.runUntil(5);
    queued.abort();
    queued.abort();
    const unseen = submit(ids(16, 200));
    unseen.abort();
    clock.runAll();
    expect(replica.counters.finished).toEqual({ stop: 1, length: 0, abort: 2 });
    expect([...queued.events, ...unseen.events]).toEqual([]);
  });

  it('ignores the abort of a request that has finished', () => {
    const { clock, replica, submit } = start();
    const { abort } = submit(ids(16));
    clock.runAll();
    abort();
    expect(replica.counters.finished).toEqual({ stop: 1, length: 0, abort: 0 });
  });

  it('counts prompt tokens once the prompt is computed, split by where they came from', () => {
    const { clock, replica, submit, runAlone } = start();
    runAlone(ids(160), ids(3, 9000));
    submit(ids(320), ids(2, 9000));
    clock.runUntil(clock.now() + 15);
    expect(replica.counters).toMatchObject({ promptTokens: 160, prefixQueries: 480, prefixHits: 160 });
    clock.runAll();
    expect(replica.counters).toMatchObject({
      promptTokens: 480,
      cachedTokens: 160,
      computedTokens: 320,
      generationTokens: 5,
    });
  });

  it('shows in its KV usage only blocks of requests under way', () => {
    const { clock, replica, submit } = start();
    submit(ids(64), ids(2, 9000));
    clock.runUntil(5);
    expect(replica.gauges().kvUsage).toBeCloseTo(4 / 64);
    clock.runAll();
    expect(replica.gauges().kvUsage).toBe(0);
  });
});
