import { describe, expect, it } from 'vitest';
import { type EngineProfile, PRESETS } from './profile.ts';
import { createRandom } from './random.ts';
import { Replica } from './replica.ts';
import { driveReplica } from './replica-driver.ts';
import { apiOverheadMs } from './step-time.ts';
import { createVirtualTime } from './virtual-time.ts';

const ids = (length: number, from = 0) => Uint32Array.from({ length }, (_, index) => from + index);

/** Times from submission to each token of a request alone on a replica that may have `cached` tokens of it. */
function tokenTimes(profile: EngineProfile, prompt: number, output: number, cached = 0): number[] {
  const clock = createVirtualTime();
  const driver = driveReplica(
    new Replica({ ...profile, timing: { ...profile.timing, jitterSigma: 0 } }, createRandom(1)),
    clock,
  );
  const run = (tokens: number, answer: number) => {
    const startedAt = clock.now();
    const times: number[] = [];
    driver.submit(
      {
        prompt: ids(tokens),
        output: ids(answer, 1e6),
        finish: 'stop',
        onToken: ({ at }) => times.push(at - startedAt),
      },
      apiOverheadMs(profile.timing, tokens),
    );
    clock.runAll();
    return times;
  };
  if (cached > 0) run(cached, 1);
  return run(prompt, output);
}

describe('step time', () => {
  it('follows the formula: one chunk of a prompt, then one decode', () => {
    const [first = 0, second = 0] = tokenTimes(PRESETS.a4000x4, 1000, 2);
    expect(first).toBeCloseTo(8 + 1 + 25 + 0.18 * 1000 + 1e-5 * 1000 * 500, 6);
    expect(second - first).toBeCloseTo(25 + 3.5e-4 * 1001, 6);
  });

  it('takes about 2 s for a cold turn of 12,000 tokens on the demo fleet, about 0.3 s warm, 25 ms a token', () => {
    const [cold = 0, next = 0] = tokenTimes(PRESETS.demo, 12_000, 2);
    expect(cold).toBeGreaterThan(1800);
    expect(cold).toBeLessThan(2200);
    expect(next - cold).toBeGreaterThan(22);
    expect(next - cold).toBeLessThan(28);
    const [warm = 0] = tokenTimes(PRESETS.demo, 12_000, 1, 10_500);
    expect(warm).toBeGreaterThan(200);
    expect(warm).toBeLessThan(350);
  });

  it('meets the reference medians on the A4000: 8,500 tokens in about 2 s, 1,000 in about 0.3 s', () => {
    expect(tokenTimes(PRESETS.a4000x4, 8500, 1)[0]).toBeGreaterThan(1900);
    expect(tokenTimes(PRESETS.a4000x4, 8500, 1)[0]).toBeLessThan(2400);
    expect(tokenTimes(PRESETS.a4000x4, 9000, 1, 8000)[0]).toBeLessThan(380);
  });
});
