import { describe, expect, it } from 'vitest';
import type { BalancerKind } from './balancer.ts';
import { createFleet } from './fleet.ts';
import { PRESETS } from './profile.ts';
import { createRandom } from './random.ts';
import { createVirtualTime } from './virtual-time.ts';

const ids = (length: number, from = 0) => Uint32Array.from({ length }, (_, index) => from + index);

function start(balancer: BalancerKind = 'load-aware', seed = 1) {
  const clock = createVirtualTime();
  const fleet = createFleet({ profile: PRESETS.a4000x4, replicas: 4, balancer, apiServers: 4, clock, seed });
  return { clock, fleet };
}

/** A few minutes of agents that talk on and on; gives everything that can be seen of it. */
function runAgents(seed: number) {
  const { clock, fleet } = start('load-aware', seed);
  const random = createRandom(seed);
  const log: string[] = [];
  for (let session = 0; session < 16; session++) {
    const talk = (history: Uint32Array<ArrayBuffer>, turn: number) => {
      const output = ids(50 + Math.floor(random() * 100), session * 1e6 + turn * 1000);
      const onToken = ({ at, finish }: { at: number; finish: string | null }) => {
        log.push(`${session} ${turn} ${at}`);
        if (finish === null || turn === 5) return;
        const next = Uint32Array.from([...history, ...output, ...ids(400, session * 1e7 + turn * 1000)]);
        clock.at(clock.now() + random() * 2000, () => talk(next, turn + 1));
      };
      fleet.submit({ prompt: history, output, finish: 'stop', pin: null, apiServer: session % 4, onToken });
    };
    talk(Uint32Array.from([...ids(3500), ...ids(2000, session * 5e6)]), 0);
  }
  clock.runAll();
  return { log, counters: fleet.replicas.map((replica) => replica.counters) };
}

describe('fleet', () => {
  it('finds a conversation on the rank that had it, and on no other', () => {
    const { clock, fleet } = start();
    const cachedOn = (pin: number, prompt: Uint32Array<ArrayBuffer>) => {
      let cached = -1;
      const onToken = (event: { cachedTokens: number }) => {
        cached = event.cachedTokens;
      };
      fleet.submit({ prompt, output: ids(1), finish: 'stop', pin, apiServer: 0, onToken });
      clock.runAll();
      return cached;
    };
    expect(cachedOn(2, ids(1000))).toBe(0);
    expect(cachedOn(2, ids(1400))).toBe(992);
    expect(cachedOn(1, ids(1400))).toBe(0);
  });

  it('refuses a rank it does not have', () => {
    const { fleet } = start();
    const request = { prompt: ids(10), output: ids(1), finish: 'stop', apiServer: 0, onToken: () => {} } as const;
    expect(() => fleet.submit({ ...request, pin: 4 })).toThrow('data_parallel_rank 4 is out of range [0, 4)');
  });

  it('takes an aborted request out of the balancer’s count once', () => {
    const { clock, fleet } = start();
    const submit = (pin: number | null) =>
      fleet.submit({ prompt: ids(100), output: ids(5), finish: 'stop', pin, apiServer: 0, onToken: () => {} });
    const first = submit(null);
    first.abort();
    first.abort();
    // Past the time for which a balancer remembers what it sent itself.
    clock.runUntil(200);
    // One request on each rank: the next goes to the rank whose turn it is, not to the one that was counted down twice.
    for (const rank of [0, 1, 2, 3]) submit(rank);
    expect([first.replica, submit(null).replica]).toEqual([0, 1]);
  });

  it('gives the same run for the same seed, and another for another', () => {
    const first = runAgents(3);
    expect(runAgents(3)).toEqual(first);
    expect(runAgents(4).log).not.toEqual(first.log);
  });

  it('accounts for every prompt and output token', () => {
    const { log, counters } = runAgents(5);
    const sum = (pick: (own: (typeof counters)[number]) => number) =>
      counters.reduce((total, own) => total + pick(own), 0);
    expect(sum((own) => own.finished.stop)).toBe(16 * 6);
    expect(sum((own) => own.generationTokens)).toBe(log.length);
    expect(sum((own) => own.promptTokens)).toBe(sum((own) => own.cachedTokens + own.computedTokens));
    expect(sum((own) => own.prefixQueries)).toBe(sum((own) => own.promptTokens));
  });
});
