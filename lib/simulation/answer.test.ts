import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeAnswer } from './answer.ts';
import { createRandom } from './random.ts';

const wishes = { calls: [], maxTokens: 10_000, minTokens: 0, ignoreEos: false };

describe('answer', () => {
  it('has 40 to 200 tokens where nothing limits it, and not always as many', () => {
    const lengths = Array.from({ length: 300 }, (_, seed) => composeAnswer(wishes, createRandom(seed)).tokens.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(40);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(200);
    expect(new Set(lengths).size).toBeGreaterThan(50);
  });

  it('never exceeds max_tokens, and says so when it was cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.boolean(), (maxTokens, seed, ignoreEos) => {
        const answer = composeAnswer({ ...wishes, maxTokens, ignoreEos }, createRandom(seed));
        expect(answer.emissions).toHaveLength(answer.tokens.length);
        expect(answer.tokens.length).toBeLessThanOrEqual(maxTokens);
        if (answer.finish === 'length' || ignoreEos) expect(answer.tokens.length).toBe(maxTokens);
        if (ignoreEos) expect(answer.finish).toBe('length');
      }),
    );
  });

  it('has at least min_tokens', () => {
    for (let seed = 0; seed < 20; seed++) {
      const answer = composeAnswer({ ...wishes, minTokens: 400 }, createRandom(seed));
      expect(answer.tokens.length).toBeGreaterThanOrEqual(400);
    }
  });

  it('makes the calls it is asked for, piece by piece', () => {
    const calls = [
      { name: 'Bash', input: '{"command":"ls"}' },
      { name: 'WebSearch', input: '{"query":"vllm"}' },
    ];
    const { emissions, finish } = composeAnswer({ ...wishes, calls }, createRandom(1));
    const told = calls.map(({ name }, index) => ({
      name,
      begins: emissions.filter((emission) => emission?.kind === 'call' && emission.call === index).length,
      input: emissions
        .map((emission) => (emission?.kind === 'input' && emission.call === index ? emission.text : ''))
        .join(''),
    }));
    expect(told).toEqual(calls.map(({ name, input }) => ({ name, begins: 1, input })));
    expect(finish).toBe('stop');
  });
});
