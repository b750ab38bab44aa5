import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayElements, arrayLength, parseSpan, type Span, scanTopLevel } from './top-level.ts';

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);

/** The wanted fields as values, or the message. */
function read(text: string | Uint8Array, wanted: readonly string[]): Record<string, unknown> | string {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  const result = scanTopLevel(bytes, wanted);
  if (!result.ok) return result.message;
  return Object.fromEntries([...result.fields].map(([name, span]) => [name, parseSpan(bytes, span)]));
}

function spanOf(text: string, name: string): { bytes: Uint8Array; span: Span } {
  const bytes = bytesOf(text);
  const result = scanTopLevel(bytes, [name]);
  const span = result.ok ? result.fields.get(name) : undefined;
  if (span === undefined) throw new Error(`no ${name} in ${text}`);
  return { bytes, span };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes the key's first character as an escape, which is the same key to a JSON parser. */
function escapeFirst(key: string): string {
  const code = key.charCodeAt(0).toString(16).padStart(4, '0');
  return key === '' ? '""' : `"\\u${code}${JSON.stringify(key.slice(1)).slice(1)}`;
}

/** A key in quotes; the letters that `escaped` says are written as escapes. */
function writeKey(key: string, escaped: readonly boolean[]): string {
  const letters = Array.from({ length: key.length }, (_, index) =>
    escaped[index] === true
      ? `\\u${key.charCodeAt(index).toString(16).padStart(4, '0')}`
      : JSON.stringify(key.charAt(index)).slice(1, -1),
  );
  return `"${letters.join('')}"`;
}

const keys = fc.oneof(
  fc.constantFrom('model', 'stream', 'messages', 'a"b', '\\', '__proto__', 'ключ'),
  fc.string({ unit: 'binary' }),
);
const objects = fc.dictionary(keys, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 });
const indents = fc.oneof(fc.constant(''), fc.constantFrom('\t', '  ', '\r\n '));
const texts = fc.tuple(objects, indents).map(([value, indent]) => JSON.stringify(value, null, indent));

describe('scanTopLevel', () => {
  it('finds fields in any order and leaves out those that are absent', () => {
    expect(read('{"stream":true,"n":-1.5e3,"model":"m"}', ['model', 'stream', 'user'])).toEqual({
      model: 'm',
      stream: true,
    });
  });

  it('does not look into nested values for a wanted name', () => {
    expect(read('{"a":{"model":"inner"},"b":["model"],"model":"outer"}', ['model'])).toEqual({ model: 'outer' });
    expect(read('{"a":{"model":"inner"}}', ['model'])).toEqual({});
  });

  it('takes the last of a key given twice, however it is written', () => {
    expect(read('{"model":"first","mod\\u0065l":"second"}', ['model'])).toEqual({ model: 'second' });
    expect(read('{"\\u006dodel":{"a":1},"model":null}', ['model'])).toEqual({ model: null });
  });

  it('is not misled by quotes, brackets and backslashes inside strings', () => {
    const text = JSON.stringify({ content: '}],"model":"fake" \\" \\\\', deep: [{ x: ']}\\' }], model: 'real' });
    expect(read(text, ['model'])).toEqual({ model: 'real' });
  });

  it('finds the end of strings longer than the short-string walk', () => {
    for (let length = 0; length < 80; length += 1) {
      const text = JSON.stringify({ a: `${'x'.repeat(length)}\\"`, model: 'm'.repeat(length) });
      expect(read(text, ['model'])).toEqual({ model: 'm'.repeat(length) });
    }
  });

  it('skips a byte order mark and white space around the object', () => {
    expect(read('\uFEFF \r\n\t{ "model" : "m" } \n', ['model'])).toEqual({ model: 'm' });
  });

  it('tells a non-ASCII key from a wanted name with the same bytes as Latin-1', () => {
    expect(read('{"é":1}', ['Ã©'])).toEqual({});
    expect(read('{"é":1}', ['é'])).toEqual({ é: 1 });
  });

  it.each([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['[]', 'not a JSON object'],
    ['"model"', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"a":[1,2}', 'brackets do not match'],
    ['{"a":{"b":1]}', 'brackets do not match'],
    ['{"a":1}}', 'something follows the closing brace'],
    ['{"a":1}{"b":2}', 'something follows the closing brace'],
    ['{"a":1,}', 'expected a key in quotes'],
    ['{a:1}', 'expected a key in quotes'],
    ['{"a" 1}', 'expected a colon after the key'],
    ['{"a":1 "b":2}', 'expected a comma or the closing brace'],
    ['{"a":}', 'a value is missing'],
    ['{"a":tru}', 'not a JSON value'],
    ['{"a":1.}', 'not a JSON value'],
    ['{"a":"x', 'cut off inside a string'],
    ['{"a":[', 'cut off inside an object or array'],
    ['{"a"', 'cut off: expected a colon after the key'],
    ['{"\\x":1}', 'a key is not a JSON string'],
  ])('refuses %j: %s', (text, message) => {
    expect(read(text, ['a'])).toBe(message);
  });

  it('gives the byte offset of the fault', () => {
    expect(scanTopLevel(bytesOf('{"é":1}x'), [])).toEqual({
      ok: false,
      message: 'something follows the closing brace',
      at: 8,
    });
  });

  it('walks a hundred thousand levels of nesting without recursion', () => {
    const depth = 100_000;
    expect(read(`{"a":${'[{"b":'.repeat(depth)}1${'}]'.repeat(depth)},"model":"m"}`, ['model'])).toEqual({
      model: 'm',
    });
    expect(read(`{"a":${'['.repeat(depth)}`, ['model'])).toBe('cut off inside an object or array');
  });

  it('finds in any object what JSON.parse finds', () => {
    fc.assert(
      fc.property(texts, fc.array(keys, { maxLength: 3 }), (text, others) => {
        const parsed: unknown = JSON.parse(text);
        if (!isObject(parsed)) throw new Error('not an object');
        const wanted = [...Object.keys(parsed), ...others];
        // As maps: `toEqual` looks past an object's own `__proto__`.
        expect(new Map(Object.entries(read(text, wanted)))).toEqual(new Map(Object.entries(parsed)));
      }),
    );
  });

  it('finds keys written with escapes', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const fields = Object.entries(object).map(([key, value]) => `${escapeFirst(key)}:${JSON.stringify(value)}`);
        const text = `{${fields.join(',')}}`;
        const parsed: unknown = JSON.parse(text);
        expect(read(text, Object.keys(object))).toEqual(parsed);
      }),
    );
  });

  it('finds the fields that routing reads, whatever their order, escapes, repetition and nesting', () => {
    const wanted = ['model', 'stream', 'stream_options', 'metadata', 'user', 'prompt_cache_key'];
    const nested = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(...wanted),
      fc.constantFrom('"model":"no"', '{"model":"no"}', '\\"}],"user":"no"', '\\'),
      fc.dictionary(fc.constantFrom(...wanted), fc.jsonValue({ maxDepth: 1 })),
    );
    // Each letter of a key plain or as an escape; between all parts any white space.
    const key = fc.tuple(fc.oneof(fc.constantFrom(...wanted), keys), fc.array(fc.boolean(), { maxLength: 20 }));
    const space = fc.constantFrom('', '', ' ', '\n', '\t\r\n');
    const field = fc.tuple(key, nested, space, space);
    fc.assert(
      fc.property(fc.array(field, { maxLength: 12 }), (fields) => {
        const parts = fields.map(
          ([[name, escaped], value, before, after]) =>
            `${before}${writeKey(name, escaped)}${after}:${before}${JSON.stringify(value)}${after}`,
        );
        const text = `{${parts.join(',')}}`;
        const parsed: unknown = JSON.parse(new TextDecoder().decode(bytesOf(text)));
        if (!isObject(parsed)) throw new Error('not an object');
        const expected = Object.entries(parsed).filter(([name]) => wanted.includes(name));
        expect(read(text, wanted)).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('accepts every mutated text that JSON.parse accepts as an object, with the same values', () => {
    const edit = fc.record({
      at: fc.nat(200),
      remove: fc.nat(3),
      insert: fc.oneof(
        fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '"a":1,', '0', 'null'),
        fc.string({ maxLength: 2 }),
      ),
    });
    let accepted = 0;
    fc.assert(
      fc.property(texts, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        let mutated = text;
        for (const { at, remove, insert } of edits) {
          const from = at % (mutated.length + 1);
          mutated = mutated.slice(0, from) + insert + mutated.slice(from + remove);
        }
        // Over UTF-8 and back: an edit may have split a surrogate pair.
        const parsed = parseOrNull(new TextDecoder().decode(bytesOf(mutated)));
        if (!isObject(parsed)) return;
        accepted += 1;
        expect(read(mutated, Object.keys(parsed))).toEqual(parsed);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('never accepts a body that was cut off', () => {
    fc.assert(
      fc.property(texts, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (text, share) => {
        const bytes = bytesOf(text);
        const cut = bytes.subarray(0, Math.floor(bytes.length * share));
        expect(scanTopLevel(cut, ['model']).ok).toBe(false);
      }),
    );
  });
});

describe('arrayElements', () => {
  it('yields what JSON.parse puts into the array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), indents, (array, indent) => {
        const text = JSON.stringify({ list: array }, null, indent);
        const { bytes, span } = spanOf(text, 'list');
        const elements = [...arrayElements(bytes, span)].map((element) => parseSpan(bytes, element));
        const parsed: unknown = JSON.parse(text);
        expect({ list: elements }).toEqual(parsed);
        expect(arrayLength(bytes, span)).toBe(array.length);
      }),
    );
  });

  it('yields the first element without reading the rest', () => {
    const bytes = bytesOf('[{"role":"system"}, "unfinished');
    const [first] = arrayElements(bytes, { start: 0, end: bytes.length });
    expect(first).toEqual({ start: 1, end: 18 });
  });

  it('has no elements where the value is not an array', () => {
    const { bytes, span } = spanOf('{"prompt":"[1,2]"}', 'prompt');
    expect(arrayLength(bytes, span)).toBe(0);
  });

  it('ends at the first place that is not JSON', () => {
    const { bytes, span } = spanOf('{"list":[1,{},,3]}', 'list');
    expect(arrayLength(bytes, span)).toBe(2);
  });
});

describe('parseSpan', () => {
  it('throws a SyntaxError where a nested value is not JSON', () => {
    const { bytes, span } = spanOf('{"list":[1 2]}', 'list');
    expect(() => parseSpan(bytes, span)).toThrow(SyntaxError);
  });
});

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
