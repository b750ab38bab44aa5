import { describe, expect, it } from 'vitest';
import { benchmarkPlan } from '#lib/contract/benchmark.ts';
import { type Draft, draftOf, newDraft, readDraft } from './draft.ts';

const BOTH = ['off', 'affinity'] as const;
const draft = (given: Partial<Draft>): Draft => ({ ...newDraft('qwen', true), policies: BOTH, ...given });

describe('the form of a benchmark', () => {
  it('asks for what was typed, and says how long it takes', () => {
    const read = readDraft(draft({ steps: '4, 8,16', seconds: '30', warmup: '0', repeats: '2' }));
    expect(read).toEqual({
      kind: 'ready',
      measurements: 12,
      seconds: 384,
      request: {
        model: 'qwen',
        workload: 'reference',
        policies: ['off', 'affinity'],
        steps: [4, 8, 16],
        seconds: 30,
        warmup_seconds: 0,
        repeats: 2,
      },
    });
  });

  it('asks again for what a run had asked for', () => {
    const read = readDraft(draft({ steps: '4,16', workload: 'claude-code' }));
    if (read.kind === 'problem') throw new Error(read.field);
    const plan = benchmarkPlan.parse({
      ...read.request,
      numbers: null,
      seed: 1,
      protocol: 'messages',
      prompts: 'fresh',
      arrivals: 'closed',
    });
    expect(readDraft(draftOf(plan))).toEqual(read);
  });

  it('measures longer where the engine is real', () => {
    expect(readDraft(newDraft('qwen', false))).toMatchObject({ request: { steps: [4, 8, 16, 24, 32], seconds: 180 } });
  });

  it('compares what is chosen, in the order of the settings, and at least one', () => {
    expect(readDraft(draft({ policies: ['affinity', 'off'] }))).toMatchObject({
      request: { policies: ['off', 'affinity'] },
    });
    expect(readDraft(draft({ policies: ['affinity'], steps: '4' }))).toMatchObject({ measurements: 1 });
    expect(readDraft(draft({ policies: [] }))).toEqual({ kind: 'problem', field: 'policies' });
  });

  it.each([
    ['steps', ''],
    ['steps', '4, many'],
    ['steps', '0'],
    ['steps', '1,2,3,4,5,6,7,8,9,10,11,12,13'],
    ['seconds', '0'],
    ['seconds', '1e3'],
    ['warmup', '-1'],
    ['repeats', '21'],
  ])('names the field at fault: %s %s', (field, text) => {
    expect(readDraft(draft({ [field]: text }))).toMatchObject({ kind: 'problem', field });
  });
});
