import { describe, expect, it } from 'vitest';
import { english } from './english.ts';
import { hindi } from './hindi.ts';

type Tree = { readonly [key: string]: string | Tree };

/** Every message by its path: "sessions.title". */
function flat(tree: Tree, before = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const path = before === '' ? key : `${before}.${key}`;
    if (typeof value === 'string') all.set(path, value);
    else for (const [inner, text] of flat(value, path)) all.set(inner, text);
  }
  return all;
}

/** What a message is given, and the tags that it wraps: the same in every language. */
function argumentsOf(message: string): string[] {
  return [
    ...new Set([...message.matchAll(/\{\s*(\w+)\s*[,}]|<(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`)),
  ].sort();
}

const inEnglish = flat(english);
const inHindi = flat(hindi);

describe('messages', () => {
  it('has the same messages in English and Hindi', () => {
    expect([...inHindi.keys()].sort()).toEqual([...inEnglish.keys()].sort());
  });

  it.each([...inEnglish])('says %s in both languages with the same arguments', (path, text) => {
    const translated = inHindi.get(path) ?? '';
    expect(text.trim()).not.toBe('');
    expect(translated.trim()).not.toBe('');
    expect(argumentsOf(translated)).toEqual(argumentsOf(text));
  });
});
