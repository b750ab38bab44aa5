import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** All sources below a folder, tests left out. */
function sources(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => read(join(folder, name)))
    .join('\n');
}

describe('the documentation', () => {
  it.each(pages)('%s links to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    const own = links.filter((target) => !/^[a-z]+:/.test(target));
    expect(own.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  it('names error codes that there are', () => {
    const named = [...read('docs/troubleshooting.md').matchAll(/^\| \d{3} \| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    );
    expect(named.length).toBeGreaterThan(10);
    const code = sources('server') + sources('lib');
    expect(named.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });

  it('names metrics that there are', () => {
    const code = sources('server/metrics');
    const names = [...read('docs/operations.md').matchAll(/`(warden_[a-z_]+?)(?:\{[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !code.includes(name))).toEqual([]);
  });

  it('has a word for every alert', () => {
    const page = read('docs/operations.md');
    const codes = [...read('lib/alerts/types.ts').matchAll(/^ {2}'(\w+)',$/gm)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('the Hindi README', () => {
  it('has the same sections, commands and links as the English one', () => {
    const english = read('README.md');
    const hindi = read('README.hi.md');
    const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;
    expect(count(hindi, /^## /gm)).toBe(count(english, /^## /gm));
    expect(count(hindi, /^```/gm)).toBe(count(english, /^```/gm));
    const links = (text: string): string[] =>
      [...new Set([...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target))]
        .filter((target) => !target.startsWith('README'))
        .sort();
    expect(links(hindi)).toEqual(links(english));
  });
});
