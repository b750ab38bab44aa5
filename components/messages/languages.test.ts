import { createTranslator } from 'use-intl/core';
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

/** A message with numbers in all its places, those that are given and 7 elsewhere, as it is read. */
function said(locale: 'en' | 'hi', message: string, given: Readonly<Record<string, number>>): string {
  const places = argumentsOf(message).map((name) => {
    const tag = /^<(\w+)>$/.exec(name)?.[1];
    return tag === undefined ? [name, 7] : [tag, (words: string) => words];
  });
  const onError = (error: Error) => {
    throw error;
  };
  const t = createTranslator({ locale, messages: { message }, timeZone: 'UTC', onError });
  return t.markup('message', { ...Object.fromEntries(places), ...given });
}

/**
 * Words that Hindi says in one way on every page, and what is not said beside it. An id that travels ("session id") keeps
 * its name, as do flags, paths and settings.
 */
const HINDI_WORDS: readonly (readonly [RegExp, string])[] = [
  [/engines?|एंजिन/, 'इंजन'],
  [/sessions?(?!( और thread)? id)|सत्र/, 'सेशन'],
  [/turns?/, 'टर्न'],
  [/clients?(?!-)/, 'क्लाइंट'],
  [/requests?|अनुरोध/, 'रिक्वेस्ट'],
  [/routers?/, 'राउटर'],
  [/bytes?/, 'बाइट'],
  [/drain(ing|s)?/, 'ड्रेन'],
  [/restart/, 'रीस्टार्ट'],
  [/versions?|वर्ज़न|वर्जन|संस्करण/, 'वर्शन'],
  [/decisions?|फ़ैसल[ाे]/, 'निर्णय'],
  [/होम|घर/, 'home'],
  [/कैश/, 'cache'],
  [/तालिका/, 'टेबल'],
];

/** A message without what ICU reads in it: the names of arguments, of forms and of tags. */
function wordsOf(message: string): string {
  return message
    .replaceAll(/\{\s*\w+\s*(,\s*\w+\s*,)?/g, ' ')
    .replaceAll(/(=?\w+)\s*\{/g, ' ')
    .replaceAll(/<\/?\w+>/g, ' ');
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

  it.each(HINDI_WORDS)('has one Hindi word for one thing: not %s but %s', (others, word) => {
    const alone = new RegExp(`(?<![\\w./_-])(${others.source.normalize()})(?![\\w/_-])`, 'i');
    const strays = [...inHindi].filter(([, text]) => alone.test(wordsOf(text).normalize()));
    expect(strays).toEqual([]);
    expect([...inHindi.values()].some((text) => text.includes(word))).toBe(true);
  });

  const counted = [
    ...[...inEnglish].map((one) => ['en', ...one] as const),
    ...[...inHindi].map((one) => ['hi', ...one] as const),
  ].flatMap(([locale, path, text]) =>
    [...text.matchAll(/\{\s*(\w+),\s*plural/g)].map(([, name = '']) => ({ locale, path, text, name })),
  );
  // What English says of one, Hindi says of none too, unless it says it by the number.
  it.each(counted)('tells none from one in $locale $path, by $name', ({ locale, text, name }) => {
    expect(said(locale, text, { [name]: 0 })).not.toBe(said(locale, text, { [name]: 1 }));
  });
});
