import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CustomInput } from './custom-input.ts';

/** Feeds the arguments in pieces and gives what came at once and what came at the end. */
function readIn(text: string, cuts: readonly number[] = []): { early: string[]; late: string } {
  const input = new CustomInput();
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const early: string[] = [];
  let from = 0;
  for (const place of [...places, text.length]) {
    early.push(input.add(text.slice(from, place)));
    from = place;
  }
  return { early, late: input.end() };
}

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const anyCuts = fc.array(fc.nat(500), { maxLength: 20 });

describe('a custom tool’s input', () => {
  it('is the text in the arguments, wherever they are cut', () => {
    fc.assert(
      fc.property(anyText, anyCuts, fc.boolean(), (text, cuts, isAscii) => {
        const json = JSON.stringify({ input: text });
        const escaped = json.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
        const { early, late } = readIn(isAscii ? escaped : json, cuts);
        expect(early.join('')).toBe(text);
        expect(late).toBe('');
      }),
    );
  });

  it('never has half of a character where the model escapes it', () => {
    const json = '{"input":"a\\ud83c\\udf89b"}';
    for (let cut = 0; cut <= json.length; cut++) {
      for (const piece of readIn(json, [cut]).early) expect(() => encodeURIComponent(piece)).not.toThrow();
    }
  });

  it('takes line breaks that the model left as they are, and escapes that there are not', () => {
    expect(readIn('{"input": "a\n\tb"}').early).toEqual(['a\n\tb']);
    expect(readIn('{"input": "a\\qb"}').early).toEqual(['a\\qb']);
  });

  it('is what the model wrote where that has another form', () => {
    for (const text of ['*** Begin Patch', '{"patch":"x"}', '["input"]', '']) {
      fc.assert(
        fc.property(anyCuts, (cuts) => {
          const { early, late } = readIn(text, cuts);
          expect(early.join('') + late).toBe(text);
        }),
        { numRuns: 20 },
      );
    }
  });
});
