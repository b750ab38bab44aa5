import { describe, expect, it } from 'vitest';
import { modelHref, modelNameOf } from './model-name.ts';

describe('a model’s address', () => {
  it.each(['qwen3-4b-dp4', 'deepseek-ai/DeepSeek-V2', 'a b?c#d', '100%'])('leads back to %s', (name) => {
    expect(modelNameOf(modelHref(name).slice('/models/'.length))).toBe(name);
  });

  it('takes a stray percent sign as it stands', () => {
    expect(modelNameOf('100%')).toBe('100%');
  });
});
