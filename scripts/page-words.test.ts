import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sharedEnglish } from '#components/messages/shared-english.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The module that an import names, where it is one of the pages'. */
function moduleOf(from: string, name: string): string[] {
  if (name.startsWith('#components/')) return [name.slice(1)];
  return name.startsWith('.') ? [normalize(join(dirname(from), name))] : [];
}

/** Everything that a module loads, at once or later, without the words themselves. */
function reached(start: string): Map<string, string> {
  const seen = new Map<string, string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || file.includes('components/messages/') || !/\.tsx?$/.test(file)) continue;
    const text = readFileSync(root + file, 'utf8');
    seen.set(file, text);
    for (const [, name = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) open.push(...moduleOf(file, name));
  }
  return seen;
}

const found = (texts: Iterable<string>, pattern: RegExp) =>
  [...texts].flatMap((text) => [...text.matchAll(pattern)].flatMap(([, one = '']) => one.split(/,\s*/)));

const pages = readdirSync(`${root}app`, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('page.tsx'))
  .map((file) => `app/${file}`);

describe('the English words of each page', () => {
  it.each(pages)('%s has those of all that it shows', (page) => {
    const texts = [...reached(page).values()];
    const used = found(texts, /useTranslations\('(\w+)/g);
    const given = [...Object.keys(sharedEnglish), ...found(texts, /^const WORDS = \{ ([^}]+) \} as const;/gm)];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((area) => !given.includes(area))).toEqual([]);
  });

  it('are there on what every page shows', () => {
    const used = found(reached('app/layout.tsx').values(), /useTranslations\('(\w+)/g);
    expect(used.filter((area) => !(area in sharedEnglish))).toEqual([]);
  });
});
