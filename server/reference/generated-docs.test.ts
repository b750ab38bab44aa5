import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { environmentVariables } from '#server/settings.ts';
import { configKeys } from './config-reference.ts';
import { KEY_DESCRIPTIONS, VARIABLE_DESCRIPTIONS } from './descriptions.ts';
import { generatedDocs } from './generated-docs.ts';
import { isCompatible, productionDependencies } from './licences.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('what is made from the code', () => {
  it.each([...generatedDocs({ read })])('%s is up to date (npm run docs)', (path, text) => {
    expect(read(path)).toBe(text);
  });

  it('describes every key of warden.yaml, and none that is not there', () => {
    expect(
      configKeys()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(Object.keys(KEY_DESCRIPTIONS).sort());
  });

  it('describes every variable, and none that is not read', () => {
    const names = environmentVariables({}).map(({ name }) => name);
    expect(Object.keys(VARIABLE_DESCRIPTIONS).sort()).toEqual([...names].sort());
  });
});

describe('the example in docs/configuration.md', () => {
  it('is a right configuration', () => {
    const example = /```yaml\n(models:[\s\S]*?)```/.exec(read('docs/configuration.md'))?.[1] ?? '';
    expect(parseConfig(example, { VLLM_API_KEY: 'x' })).toMatchObject({ ok: true });
  });
});

describe('the licences of what is installed', () => {
  const dependencies = productionDependencies(read('package-lock.json'));

  it('are all stated and compatible with Apache-2.0', () => {
    expect(dependencies.length).toBeGreaterThan(50);
    expect(dependencies.filter(({ licence }) => licence === null || !isCompatible(licence))).toEqual([]);
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['Apache-2.0 AND MIT', true],
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['Apache-2.0 AND GPL-2.0-only', false],
    ['SSPL-1.0', false],
  ])('%s: %s', (licence, expected) => {
    expect(isCompatible(licence)).toBe(expected);
  });
});
