import { describe, expect, it } from 'vitest';
import { benchmarkRequest } from '#lib/contract/benchmark.ts';
import { createSyntheticWorkload } from '#lib/experiment/synthetic-workload.ts';
import { cellsSeconds, longestContext, planBenchmark, planCells, workloadNumbers } from './plan.ts';

const plan = (given: object = {}) => planBenchmark(benchmarkRequest.parse({ model: 'qwen', ...given }), 99);
const order = (given: object) => planCells(plan(given)).map(({ policy, sessions }) => `${policy} ${sessions}`);

describe('a plan', () => {
  it('takes the numbers of the reference measurement, the drawn seed, and both settings', () => {
    expect(plan()).toMatchObject({
      policies: ['off', 'affinity'],
      steps: [4, 8],
      seed: 99,
      numbers: { system_tokens: 3500, turns: 6, turn_tokens: { least: 400, most: 400 } },
    });
    expect(plan()).not.toHaveProperty('allow_traffic');
  });

  it('replaces single numbers, and keeps a seed that was given', () => {
    const { numbers, seed } = plan({ numbers: { turns: 3 }, seed: 0 });
    expect(numbers).toMatchObject({ turns: 3, system_tokens: 3500 });
    expect(seed).toBe(0);
  });

  it('measures a step once where it is named twice', () => {
    expect(plan({ steps: [4, 4], policies: ['off', 'off'] })).toMatchObject({ steps: [4], policies: ['off'] });
  });
});

describe('the order of measuring', () => {
  it('goes step by step, the other setting first each time', () => {
    expect(order({ steps: [4, 8, 16] })).toEqual([
      'off 4',
      'affinity 4',
      'affinity 8',
      'off 8',
      'off 16',
      'affinity 16',
    ]);
  });

  it('begins a repeat with the setting that the repeat before did not begin with', () => {
    expect(order({ steps: [4, 8], repeats: 2 }).slice(4)).toEqual(['affinity 4', 'off 4', 'off 8', 'affinity 8']);
  });
});

describe('the prompts', () => {
  it('differ between all cells, while the settings of a step get conversations of the same sizes', () => {
    const cells = planCells(plan({ repeats: 2 }));
    expect(new Set(cells.map(({ salt }) => salt)).size).toBe(8);
    expect(new Set(cells.map(({ seed }) => seed)).size).toBe(4);
    for (const step of [4, 8]) {
      const [one, other] = cells.filter(({ repeat, sessions }) => repeat === 0 && sessions === step);
      expect(one?.seed).toBe(other?.seed);
    }
  });

  it('agree between the settings of a step where asked for', () => {
    const cells = planCells(plan({ prompts: 'same' }));
    expect(new Set(cells.map(({ salt }) => salt)).size).toBe(2);
  });

  it('are other ones with another seed', () => {
    const salts = (seed: number) => planCells(plan({ seed })).map(({ salt }) => salt);
    expect(salts(1)).toEqual(salts(1));
    expect(salts(1).some((salt) => salts(2).includes(salt))).toBe(false);
  });
});

describe('the size of a plan', () => {
  it('counts warm-up and settling', () => {
    const short = plan({ seconds: 60, warmup_seconds: 10 });
    expect(cellsSeconds(short, planCells(short).length)).toBe(4 * 72);
  });

  it.each(['reference', 'claude-code'])('knows the longest conversation of %s', (workload) => {
    const { numbers } = plan({ workload });
    if (numbers === null) throw new Error('no numbers');
    const script = createSyntheticWorkload(workloadNumbers(numbers), 1);
    for (let index = 0; index < 20; index++) {
      const tokens = script
        .session(index)
        .turns.flatMap((turn) => [...turn.input.map((segment) => segment.tokens), turn.outputTokens])
        .reduce((sum, count) => sum + count, 0);
      expect(tokens).toBeLessThanOrEqual(longestContext(numbers));
      expect(tokens).toBeGreaterThan(longestContext(numbers) / 3);
    }
  });
});
