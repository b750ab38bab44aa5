import { expect, it } from 'vitest';
import { composeModels } from './compose-models.ts';
import { modelWithDefaults } from './schema.ts';

const model = (name: string, aliases: string[] = []) =>
  modelWithDefaults({ name, aliases, replicas: [{ url: 'http://gpu-box:8000' }] });
const NONE = new Set<string>();

it('serves what is configured and what was added, in this order', () => {
  const composed = composeModels({
    configured: [model('a', ['claude-*'])],
    isSimulated: false,
    managed: [model('b', ['claude-*'])],
    removed: NONE,
  });
  expect(composed.models.map(({ name, aliases }) => [name, aliases])).toEqual([
    ['a', ['claude-*']],
    ['b', ['claude-*']],
  ]);
  expect(composed.shadowed).toEqual([]);
});

it('lets the configuration win over a model of the same name', () => {
  const configured = [model('a')];
  const composed = composeModels({ configured, isSimulated: false, managed: [model('a', ['x'])], removed: NONE });
  expect(composed).toEqual({ models: configured, shadowed: ['a'] });
});

it('lets the simulated fleet give names away, or go', () => {
  const parts = { configured: [model('demo', ['claude-*', 'demo-*'])], isSimulated: true, removed: NONE };
  const withReal = composeModels({ ...parts, managed: [model('real', ['claude-*'])] });
  expect(withReal.models.map(({ name, aliases }) => [name, aliases])).toEqual([
    ['demo', ['demo-*']],
    ['real', ['claude-*']],
  ]);
  expect(composeModels({ ...parts, managed: [model('demo')] }).models).toEqual([model('demo')]);
  expect(composeModels({ ...parts, managed: [], removed: new Set(['demo']) }).models).toEqual([]);
});

it('never removes what is configured', () => {
  const parts = { configured: [model('a')], isSimulated: false, managed: [], removed: new Set(['a']) };
  expect(composeModels(parts).models).toHaveLength(1);
});
