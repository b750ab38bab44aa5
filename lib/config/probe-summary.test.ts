import { describe, expect, it } from 'vitest';
import type { ProbedEngine, ProbedUrl } from '#lib/contract/managed-models.ts';
import { probeSummary } from './probe-summary.ts';

const NOBODY = { takenNames: new Set<string>(), takenUrls: new Map<string, string>() };
const codes = (urls: readonly ProbedUrl[], others = NOBODY) =>
  probeSummary(urls, others).warnings.map(({ code }) => code);

describe('what a model of these URLs would be', () => {
  it('is named by what all engines serve, with all of their ranks', () => {
    const both = [
      probed('http://a', { models: [served('llama'), served('qwen')], ranks: 4 }),
      probed('http://b', { models: [served('qwen')], ranks: 2, max_num_seqs: 16 }),
    ];
    expect(probeSummary(both, NOBODY).suggestion).toEqual({
      name: 'qwen',
      served_model_name: 'qwen',
      served_models: ['qwen'],
      aliases: ['claude-*'],
      replicas: 6,
      max_num_seqs: 16,
    });
  });

  it('takes no name that is taken', () => {
    const others = { ...NOBODY, takenNames: new Set(['qwen', 'qwen-2', 'claude-*']) };
    expect(probeSummary([probed('http://a')], others).suggestion).toMatchObject({
      name: 'qwen-3',
      served_model_name: 'qwen',
      aliases: [],
    });
  });

  it('is nothing where no URL is an engine', () => {
    const refused = { url: 'http://a', engine: null, generated: null, problem: null };
    expect(probeSummary([refused], NOBODY)).toEqual({ suggestion: null, warnings: [] });
  });
});

describe('the warnings before saving', () => {
  it('are none for two engines that are alike and tell everything', () => {
    expect(codes([probed('http://a'), probed('http://b')])).toEqual([]);
  });

  it('name what differs between the engines', () => {
    const other = { version: '0.27.0', kv_capacity_tokens: 10_000, models: [served('llama', 8192)] };
    expect(probeSummary([probed('http://a'), probed('http://b', other)], NOBODY).warnings).toEqual([
      { code: 'models_differ', models: ['qwen', 'llama'] },
      { code: 'versions_differ', versions: ['0.27.0', '0.28.0'] },
      { code: 'capacities_differ', least_tokens: 10_000, most_tokens: 40_000 },
      { code: 'context_differs', least_tokens: 8192, most_tokens: 32_768 },
    ]);
  });

  it('name what an engine does not do or tell', () => {
    expect(codes([probed('http://a', { prefix_caching: false }), probed('http://b')])).toEqual(['prefix_caching_off']);
    expect(codes([probed('http://a', { kv_capacity_tokens: null, max_num_seqs: null })])).toEqual([
      'capacity_unknown',
      'max_num_seqs_unknown',
    ]);
    expect(codes([probed('http://a', { ranks: null, metrics_problem: 'HTTP 404' })])).toEqual([
      'no_metrics',
      'one_replica',
    ]);
  });

  it('name URLs that are there twice or belong to another model', () => {
    const others = { ...NOBODY, takenUrls: new Map([['http://b', 'other']]) };
    expect(probeSummary([probed('http://a'), probed('http://a'), probed('http://b')], others).warnings).toEqual([
      { code: 'url_twice', url: 'http://a' },
      { code: 'url_taken', url: 'http://b', model: 'other' },
    ]);
  });
});

const served = (id: string, length = 32_768) => ({ id, max_model_len: length });

function probed(url: string, given: Partial<ProbedEngine> = {}): ProbedUrl {
  const engine = {
    models: [served('qwen')],
    version: '0.28.0',
    simulated: false,
    ranks: 2,
    max_num_seqs: 32,
    kv_capacity_tokens: 40_000,
    prefix_caching: true,
    metrics_problem: null,
    ...given,
  };
  return { url, problem: null, generated: null, engine };
}
