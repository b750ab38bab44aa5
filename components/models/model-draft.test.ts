import { describe, expect, it } from 'vitest';
import type { ModelConfiguration } from '#lib/contract/managed-models.ts';
import { draftOf, EMPTY_DRAFT, patchOf, readDraft, withSuggestion } from './model-draft.ts';

const suggestion = {
  name: 'qwen-2',
  served_model_name: 'qwen',
  served_models: ['qwen'],
  aliases: ['claude-*'],
  replicas: 4,
  max_num_seqs: null,
};

const kept: ModelConfiguration = {
  name: 'qwen',
  origin: 'console',
  can_change: true,
  can_remove: true,
  urls: ['http://a:8000'],
  ranks: 'auto',
  served_model_name: 'org/qwen',
  aliases: ['claude-*'],
  has_api_key: true,
  max_num_seqs: 32,
  affinity: true,
  spill_threshold: 6,
  cache_fit: false,
  added_at: null,
  changed_at: null,
};

describe('the form of a model', () => {
  it('asks for what was typed, in the words of the API', () => {
    const draft = { ...EMPTY_DRAFT, urls: 'http://a:8000\n http://b:8000,', name: ' qwen ', aliases: 'x, claude-*, x' };
    expect(readDraft({ ...draft, apiKey: 'k', maxNumSeqs: '32', thresholdIsAuto: false, threshold: '4' })).toEqual({
      kind: 'ready',
      model: {
        name: 'qwen',
        urls: ['http://a:8000', 'http://b:8000'],
        ranks: 'auto',
        aliases: ['x', 'claude-*'],
        api_key: 'k',
        max_num_seqs: 32,
        affinity: true,
        spill_threshold: 4,
        cache_fit: false,
      },
    });
  });

  it.each([
    [{ urls: ' ' }, 'urls'],
    [{ name: ' ' }, 'name'],
    [{ maxNumSeqs: '0' }, 'maxNumSeqs'],
    [{ maxNumSeqs: '1.5' }, 'maxNumSeqs'],
    [{ thresholdIsAuto: false, threshold: '' }, 'threshold'],
  ])('says what is wrong with %j', (given, field) => {
    expect(readDraft({ ...EMPTY_DRAFT, urls: 'http://a', name: 'qwen', ...given })).toMatchObject({ field });
  });

  it('takes what the engines say for what nobody has typed', () => {
    expect(withSuggestion(EMPTY_DRAFT, suggestion)).toMatchObject({
      name: 'qwen-2',
      servedModel: 'qwen',
      aliases: 'claude-*',
      maxNumSeqs: '',
    });
    const typed = { ...EMPTY_DRAFT, name: 'mine', maxNumSeqs: '8' };
    expect(withSuggestion(typed, { ...suggestion, max_num_seqs: 64 })).toMatchObject({
      name: 'mine',
      aliases: '',
      maxNumSeqs: '8',
    });
    expect(withSuggestion(typed, null)).toBe(typed);
  });

  it('changes nothing where nothing was changed, and else only that', () => {
    const unchanged = readDraft(draftOf(kept));
    if (unchanged.kind !== 'ready') throw new Error('a kept model is complete');
    expect(patchOf(kept, unchanged.model, false)).toBeNull();
    const { max_num_seqs, served_model_name, ...rest } = unchanged.model;
    expect(patchOf(kept, { ...rest, spill_threshold: 'auto', aliases: [] }, true)).toEqual({
      served_model_name: null,
      aliases: [],
      max_num_seqs: null,
      spill_threshold: 'auto',
      api_key: null,
    });
    expect(patchOf(kept, { ...unchanged.model, api_key: 'new' }, true)).toEqual({ api_key: 'new' });
  });
});
