import { describe, expect, it } from 'vitest';
import { configurationChange } from './configuration-change.ts';
import { parseConfig } from './parse-config.ts';

function config(text: string) {
  const parsed = parseConfig(text, {});
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

const model = (name: string, rest = ''): string =>
  `  - name: ${name}\n    replicas: [{ url: "http://gpu:8000" }]\n${rest}`;
const models = (...list: string[]): string => `models:\n${list.join('')}`;

describe('what a changed configuration changes', () => {
  it('is nothing where only a remark is another', () => {
    expect(configurationChange(config(models(model('a'))), config(`# x\n${models(model('a'))}`))).toBeNull();
  });

  it('is each value that is another, by its path', () => {
    const before = config(`${models(model('a', '    max_num_seqs: 32\n'))}limits: { max_body_mb: 10 }\n`);
    const after = config(`${models(model('a', '    max_num_seqs: 16\n'))}limits: { max_body_mb: 20 }\n`);
    expect(configurationChange(before, after)).toEqual({
      before: { 'models.a.max_num_seqs': 32, 'limits.max_body_mb': 10 },
      after: { 'models.a.max_num_seqs': 16, 'limits.max_body_mb': 20 },
    });
  });

  it('is a model that came or went, as a whole', () => {
    const change = configurationChange(config(models(model('a'))), config(models(model('b'))));
    expect(change?.before).toMatchObject({ 'models.a': { name: 'a' }, 'models.b': null });
    expect(change?.after).toMatchObject({ 'models.b': { name: 'b', api_key: null }, 'models.a': null });
  });

  it.each([
    ['', '    api_key: SECRET-2\n', null, 'set'],
    ['    api_key: SECRET-1\n', '    api_key: SECRET-2\n', 'set', 'another one'],
    ['    api_key: SECRET-1\n', '', 'set', null],
  ])('says of a key that it is there or another, and never the key: %j to %j', (from, to, was, is) => {
    const change = configurationChange(config(models(model('a', from))), config(models(model('a', to))));
    expect(change).toEqual({ before: { 'models.a.api_key': was }, after: { 'models.a.api_key': is } });
  });

  it('keeps the key of a model that came or went to itself', () => {
    const secret = model('b', '    api_key: SECRET-1\n');
    const both = config(models(model('a'), secret));
    for (const change of [
      configurationChange(config(models(model('a'))), both),
      configurationChange(both, config(models(model('a')))),
    ]) {
      expect(JSON.stringify(change)).toContain('"api_key":"set"');
      expect(JSON.stringify(change)).not.toContain('SECRET');
    }
  });
});
