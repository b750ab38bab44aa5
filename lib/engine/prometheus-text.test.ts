import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExposition } from './prometheus-text.ts';

/** Name, labels as an object, value. */
const read = (text: string) =>
  [...parseExposition(text)].map(({ name, labels, value }) => [name, Object.fromEntries(labels), value]);

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

const names = fc.constantFrom('vllm:num_requests_running', 'a', '_x1', 'process_start_time_seconds');
const labelSets = fc.dictionary(
  fc.constantFrom('engine', 'model_name', 'le', 'source', 'x_1'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const values = fc.oneof(fc.double(), fc.integer());
const samples = fc.tuple(names, labelSets, values);

function line(name: string, labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeValue(text)}"`);
  const set = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  return `${name}${set} ${Number.isFinite(value) || Number.isNaN(value) ? value : value > 0 ? '+Inf' : '-Inf'}`;
}

describe('parseExposition', () => {
  it('reads names, labels as a set and values, and passes over comments and empty lines', () => {
    const text = [
      '# HELP vllm:num_requests_running Requests in execution batches.',
      '# TYPE vllm:num_requests_running gauge',
      'vllm:num_requests_running{engine="0",model_name="Qwen/Qwen3-4B"} 3.0',
      '',
      'vllm:num_requests_running{model_name="Qwen/Qwen3-4B",engine="1"} 1.7960300567615857e+09',
      'process_start_time_seconds 1.5e3',
    ].join('\n');
    expect(read(text)).toEqual([
      ['vllm:num_requests_running', { engine: '0', model_name: 'Qwen/Qwen3-4B' }, 3],
      ['vllm:num_requests_running', { engine: '1', model_name: 'Qwen/Qwen3-4B' }, 1796030056.7615857],
      ['process_start_time_seconds', {}, 1500],
    ]);
  });

  it('reads OpenMetrics: exemplars and timestamps behind the value, and the EOF mark', () => {
    const text = 'a_total{engine="0"} 17 1520879607.789 # {trace_id="x}y"} 0.67\nb 2 # {t="1"} 3\n# EOF\n';
    expect(read(text)).toEqual([
      ['a_total', { engine: '0' }, 17],
      ['b', {}, 2],
    ]);
  });

  it('reads infinities and NaN', () => {
    expect(read('a{le="+Inf"} +Inf\nb -Inf\nc NaN\nd Inf')).toEqual([
      ['a', { le: '+Inf' }, Number.POSITIVE_INFINITY],
      ['b', {}, Number.NEGATIVE_INFINITY],
      ['c', {}, Number.NaN],
      ['d', {}, Number.POSITIVE_INFINITY],
    ]);
  });

  it('allows blanks between tokens, a comma at the end of the labels and carriage returns', () => {
    expect(read(' a { x = "1" , y="2", }\t 3 \r\nb{} 4\r\n')).toEqual([
      ['a', { x: '1', y: '2' }, 3],
      ['b', {}, 4],
    ]);
  });

  it('keeps a backslash that escapes nothing', () => {
    expect(read(String.raw`a{path="C:\dir\\x"} 1`)).toEqual([['a', { path: String.raw`C:\dir\x` }, 1]]);
  });

  it.each([
    '<html>',
    '{"error":"Unauthorized"}',
    'a',
    'a{',
    'a{x} 1',
    'a{x=1} 1',
    'a{x="1} 1',
    'a{x="1"',
    'a{x="1" y="2"} 1',
    'a one',
    'a-b 1',
  ])('passes over %j and reads the line behind it', (broken) => {
    expect(read(`${broken}\nok 1`)).toEqual([['ok', {}, 1]]);
  });

  it('asks for each name before its labels are read, and yields only what is wanted', () => {
    const asked: string[] = [];
    const wants = (name: string) => {
      asked.push(name);
      return name === 'b';
    };
    const found = [...parseExposition('a{x="1"} 1\nb 2\na 3', wants)];
    expect(found.map(({ name }) => name)).toEqual(['b']);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('reads back what was written, whatever the label values hold', () => {
    fc.assert(
      fc.property(fc.array(samples), (written) => {
        const text = written.map(([name, labels, value]) => line(name, labels, value)).join('\n');
        expect(read(text)).toEqual(
          written.map(([name, labels, value]) => [name, { ...labels }, value === 0 ? 0 : value]),
        );
      }),
    );
  });

  it('never fails, whatever the text', () => {
    const soup = fc.string({
      unit: fc.constantFrom('a', ':', '{', '}', '=', '"', '\\', ',', ' ', '\n', '#', '1', 'é'),
    });
    fc.assert(
      fc.property(soup, (text) => {
        for (const { name } of parseExposition(text)) expect(name).not.toBe('');
      }),
    );
  });
});
