import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** One exchange with a real vLLM. A text as request body was sent as it is; an event stream is a text. */
const recording = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  request: z.unknown(),
  status: z.number(),
  contentType: z.string().nullable(),
  response: z.unknown(),
});
export type Recording = z.infer<typeof recording>;

/** For tests: where the recordings of the real engine are. */
export const RECORDINGS = new URL('../../fixtures/vllm/', import.meta.url);

export function readRecording(name: string): Recording {
  return recording.parse(JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')));
}

/** The form of an answer without its values; equal neighbours in a list or a stream are one. */
export type Shape = null | string | readonly Shape[] | { readonly [key: string]: Shape };

export function shapeOfAnswer(response: unknown): Shape {
  return typeof response === 'string' ? withoutRepeats(streamEvents(response)) : shapeOf(response);
}

function shapeOf(value: unknown): Shape {
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
  if (Array.isArray(value)) return withoutRepeats(value.map(shapeOf));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

/** Each event of a stream: its name, and the form of its data (or the text itself where it is not JSON: `[DONE]`). */
function streamEvents(text: string): Shape[] {
  const blocks = text.split('\n\n').filter((block) => block.trim() !== '');
  return blocks.map((block): Shape => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
    const data = field('data');
    return { event: field('event'), data: data.startsWith('{') ? shapeOf(JSON.parse(data)) : data };
  });
}

function withoutRepeats(shapes: readonly Shape[]): Shape[] {
  return shapes.filter((shape, index) => JSON.stringify(shape) !== JSON.stringify(shapes[index - 1]));
}
