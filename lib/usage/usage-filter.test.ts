import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUsageFilter } from './usage-filter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (parts: readonly Uint8Array[]): string =>
  new TextDecoder().decode(Uint8Array.from(parts.flatMap((part) => [...part])));

/** What the client gets of a stream that is cut at the given places. */
function filtered(text: string, cuts: readonly number[] = []): string {
  const filter = createUsageFilter();
  const all = bytes(text);
  const places = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].sort((a, b) => a - b);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const place of [...places, all.length]) {
    parts.push(...filter.chunk(all.subarray(from, place)));
    from = place;
  }
  return textOf([...parts, ...filter.end()]);
}

const event = (json: string): string => `data: ${json}\n\n`;
const delta = (content: string): string =>
  event(`{"id":"c","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}`);
const USAGE = event('{"id":"c","choices":[],"usage":{"prompt_tokens":7,"prompt_tokens_details":null}}');
const DONE = event('[DONE]');

const PASSING: readonly (readonly [string, string])[] = [
  ['deltas and the end', delta('hi') + delta('é"\\') + DONE],
  ['a first chunk without choices and without usage', event('{"choices":[],"prompt_filter_results":[]}') + DONE],
  ['usage beside choices', event('{"choices":[{"delta":{}}],"usage":{"prompt_tokens":1}}') + DONE],
  ['usage that is null', event('{"choices":[],"usage":null}') + event('{"choices":[{"text":"x"}],"usage":null}')],
  ['what the model says of usage', delta('{"choices":[],"usage":{"prompt_tokens":7}}') + delta(USAGE) + DONE],
  ['comments, other fields and empty lines', `: ping\n\nevent: x\nid: 7\nretry: 10\n\n\n\r\n\n${DONE}`],
  ['an error', event('{"error":{"message":"no","code":400}}') + DONE],
  ['text that is no event stream', 'da\ndata\ndat: {\ndata:\n{"choices":[],"usage":{}}\n'],
  ['an end without a line end', `${delta('a')}data: {"choices":[`],
  ['nested usage', event('{"response":{"choices":[],"usage":{}},"choices":[{}]}')],
];

const cuts = fc.array(fc.nat(5000), { maxLength: 40 });

describe('the usage filter', () => {
  it.each(PASSING)('passes %s byte for byte, wherever it is cut', (_name, text) => {
    fc.assert(
      fc.property(cuts, (places) => void expect(filtered(text, places)).toBe(text)),
      { numRuns: 200 },
    );
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('takes the usage chunk out with its empty line, wherever it is cut (%s)', (_name, lineEnd) => {
    const lines = (text: string): string => text.replaceAll('\n', lineEnd);
    const given = lines(delta('hello') + delta('you') + USAGE + DONE);
    const expected = lines(delta('hello') + delta('you') + DONE);
    for (let cut = 0; cut <= given.length; cut += 1) expect(filtered(given, [cut])).toBe(expected);
    expect(
      filtered(
        given,
        Array.from(given, (_, index) => index),
      ),
    ).toBe(expected);
    fc.assert(fc.property(cuts, (places) => void expect(filtered(given, places)).toBe(expected)));
  });

  it('takes it out whatever the order of its fields and the space between them', () => {
    for (const json of [
      '{"usage":{"prompt_tokens":1},"choices":[]}',
      '{ "choices" : [ ] , "usage" : { } }',
      '{"metrics":{"choices":[1]},"choices":[],"usage":{}}',
    ]) {
      expect(filtered(`data:${json}\n\n${DONE}`)).toBe(DONE);
    }
  });

  it('takes out of an event with other fields the one line only', () => {
    expect(filtered(`id: 1\n${USAGE}${DONE}`)).toBe(`id: 1\n\n${DONE}`);
  });

  it('takes it out where the stream ends right after it, without a line end', () => {
    expect(filtered(delta('x') + USAGE.trimEnd(), [100])).toBe(delta('x'));
  });

  it('gives a chunk that it does not change back as it came', () => {
    const filter = createUsageFilter();
    const chunk = bytes(delta('hello'));
    expect(filter.chunk(chunk)).toEqual([chunk]);
  });

  it('holds back no more of a line than the part that could still be a usage chunk', () => {
    const filter = createUsageFilter();
    expect(textOf(filter.chunk(bytes(`${delta('a')}data: {"id":"c","choices":[`)))).toBe(delta('a'));
    expect(textOf(filter.chunk(bytes('{"ind')))).toBe('data: {"id":"c","choices":[{"ind');
    expect(textOf(filter.chunk(bytes('ex":0')))).toBe('ex":0');
    expect(textOf(filter.chunk(bytes('}]}\n\n: pi')))).toBe('}]}\n\n: pi');
    expect(textOf(filter.chunk(bytes('ng\n\ndata: ')))).toBe('ng\n\n');
    expect(textOf(filter.chunk(bytes('[')))).toBe('data: [');
  });

  it('does not hold back a line that is longer than any usage chunk', () => {
    const filter = createUsageFilter();
    const long = `data: {"id":"${'x'.repeat(20_000)}`;
    expect(textOf(filter.chunk(bytes(long)))).toBe(long);
  });
});
