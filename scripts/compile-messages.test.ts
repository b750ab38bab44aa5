import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import format, { type CompiledMessage } from 'icu-minify/format';
import { createTranslator } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileMessages } from './compile-messages.mjs';

/** None, one, two, few and many: every branch of the plurals of both languages. */
const COUNTS = [0, 1, 2, 3, 1234];

const compiledMessage = z.custom<CompiledMessage>((made) => typeof made === 'string' || Array.isArray(made));

type Values = Record<string, string | number | ((words: unknown) => string)>;
const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
};

/** Every text of a tree by its path; a compiled one is an array, or a string where there is nothing to put in. */
function* leaves(tree: unknown, before = ''): Generator<readonly [path: string, text: unknown]> {
  for (const [key, inner] of Object.entries(Object(tree))) {
    if (typeof inner === 'string' || Array.isArray(inner)) yield [before + key, inner];
    else yield* leaves(inner, `${before}${key}.`);
  }
}

/** Values for all that a text asks for, several times over: its counts, and each branch of its choices. */
function valuesFor(text: string): readonly Values[] {
  const names = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
  const branches = names(/(\w+) \{/g);
  return Array.from({ length: Math.max(COUNTS.length, branches.length) }, (_, round) => ({
    ...Object.fromEntries(names(/\{(\w+)/g).map((name) => [name, COUNTS[round % COUNTS.length] ?? 0])),
    ...Object.fromEntries(names(/\{(\w+), select,/g).map((name) => [name, branches[round % branches.length] ?? ''])),
    ...Object.fromEntries(names(/<(\w+)>/g).map((name) => [name, (words: unknown) => `[${name}: ${String(words)}]`])),
  }));
}

describe.each(['en', 'hi'] as const)('the messages as the console is built with them, in %s', (locale) => {
  const folder = fileURLToPath(new URL(`../components/messages/${locale}/`, import.meta.url));

  it.each(readdirSync(folder))('say what the parser of the format makes of %s', async (file) => {
    const written = new Map(leaves(await import(folder + file)));
    const { source, files } = await compileMessages(folder + file);
    const compiled = new Map(leaves(await import(`data:text/javascript,${encodeURIComponent(source)}`)));
    expect([...compiled.keys()]).toEqual([...written.keys()]);
    expect(files).toContain(folder + file);
    for (const [path, text] of written) {
      const said = z.string().parse(text);
      const made = compiledMessage.parse(compiled.get(path));
      const t = createTranslator<Record<string, string>>({ locale, messages: { it: said } });
      for (const values of valuesFor(said)) {
        expect(format(made, locale, values, { formatters }), path).toBe(t.markup('it', values));
      }
    }
  });
});

it('refuses a message that is not well formed', async () => {
  const folder = mkdtempSync(`${tmpdir()}/lm-warden-messages-`);
  writeFileSync(`${folder}/broken.ts`, "export const broken = { text: '{count, plural, one {# turn}}' };");
  await expect(compileMessages(`${folder}/broken.ts`)).rejects.toThrow('MISSING_OTHER_CLAUSE');
  rmSync(folder, { recursive: true });
});
