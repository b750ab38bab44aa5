import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTopLevel } from '#lib/json/top-level.ts';
import { askForUsage } from './ask-for-usage.ts';

/** The body with the change made; null where none is. */
function asked(text: string): string | null {
  const body = new TextEncoder().encode(text);
  const scan = scanTopLevel(body, ['stream', 'stream_options']);
  if (!scan.ok) throw new Error(scan.message);
  const edit = askForUsage(body, scan.fields);
  if (edit === null) return null;
  const part = (start: number, end?: number): string => new TextDecoder().decode(body.subarray(start, end));
  return part(0, edit.start) + edit.text + part(edit.end);
}

describe('asking for usage', () => {
  it.each([
    ['no options', '{"stream":true,"a":1}', '{"stream":true,"stream_options":{"include_usage":true},"a":1}'],
    [
      'options after it',
      '{"a":1, "stream" : true }',
      '{"a":1, "stream" : true,"stream_options":{"include_usage":true} }',
    ],
    ['null', '{"stream":true,"stream_options":null}', '{"stream":true,"stream_options":{"include_usage":true}}'],
    ['none set', '{"stream_options":{ },"stream":true}', '{"stream_options":{"include_usage":true },"stream":true}'],
    [
      'others set',
      '{"stream":true,"stream_options":{"x":[1]}}',
      '{"stream":true,"stream_options":{"include_usage":true,"x":[1]}}',
    ],
    [
      'usage declined',
      '{"stream":true,"stream_options":{"include_usage": false}}',
      '{"stream":true,"stream_options":{"include_usage": true}}',
    ],
    [
      'usage left null',
      '{"stream":true,"stream_options":{"include_usage":null,"x":1}}',
      '{"stream":true,"stream_options":{"include_usage":true,"x":1}}',
    ],
  ])('changes the one place and no other byte: %s', (_name, before, after) => {
    expect(asked(before)).toBe(after);
  });

  it.each([
    ['no stream is wanted', '{"stream":false}'],
    ['stream is not said', '{"stream_options":{"include_usage":false}}'],
    ['stream is no boolean', '{"stream":"true"}'],
    ['the client asks itself', '{"stream":true,"stream_options":{"include_usage":true}}'],
    ['the options are no object', '{"stream":true,"stream_options":[]}'],
    ['the option is no boolean', '{"stream":true,"stream_options":{"include_usage":1}}'],
    ['the options are not JSON', '{"stream":true,"stream_options":{"include_usage":false 1}}'],
    ['usage in every chunk would come with it', '{"stream":true,"stream_options":{"continuous_usage_stats":true}}'],
  ])('changes nothing where %s', (_name, text) => {
    expect(asked(text)).toBeNull();
  });

  it('leaves a body that says the same to a parser, but for the usage', () => {
    const options = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), options, fc.boolean(), (fields, inner, hasOptions) => {
        const { include_usage: _, continuous_usage_stats: __, ...rest } = inner;
        const body = { ...fields, stream: true, ...(hasOptions ? { stream_options: rest } : {}) };
        const given: unknown = JSON.parse(JSON.stringify(hasOptions ? body : { ...body, stream_options: undefined }));
        const text = JSON.stringify(given, null, 1);
        const changed: unknown = JSON.parse(asked(text) ?? 'null');
        expect(changed).toEqual({
          ...JSON.parse(text),
          stream_options: { ...(hasOptions ? JSON.parse(JSON.stringify(rest)) : {}), include_usage: true },
        });
      }),
    );
  });
});
