import { describe, expect, it } from 'vitest';
import { findModel } from './model-name.ts';

const models = [
  { name: 'qwen', aliases: ['claude-*', 'small'] },
  { name: 'big', aliases: ['claude-opus-*', 'gpt-?'] },
];

describe('findModel', () => {
  it('prefers a name over an alias, and an exact alias over a glob', () => {
    expect(
      findModel(
        [
          { name: 'a', aliases: ['b'] },
          { name: 'b', aliases: ['*'] },
        ],
        'b',
      )?.name,
    ).toBe('b');
    expect(
      findModel(
        [
          { name: 'a', aliases: ['*'] },
          { name: 'b', aliases: ['x'] },
        ],
        'x',
      )?.name,
    ).toBe('b');
  });

  it('prefers the longer glob', () => {
    expect(findModel(models, 'claude-opus-5')?.name).toBe('big');
    expect(findModel(models, 'claude-haiku-4-5-20251001')?.name).toBe('qwen');
  });

  it('matches ? to one character and nothing else', () => {
    expect(findModel(models, 'gpt-5')?.name).toBe('big');
    expect(findModel(models, 'gpt-55')).toBeNull();
    expect(findModel(models, 'claude')).toBeNull();
  });

  it('takes no longer than linear on patterns made to explode', () => {
    const model = { name: 'm', aliases: [`${'a*'.repeat(60)}b`] };
    expect(findModel([model], 'a'.repeat(250))).toBeNull();
  });
});
