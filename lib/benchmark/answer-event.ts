import { readStreamEvent, type Usage } from '#lib/usage/usage.ts';

/** What one event of a streamed answer brings: generated text (empty for other generated content), usage, an error. */
export type AnswerEvent = {
  /** Null where the event carries nothing that was generated. */
  readonly text: string | null;
  readonly usage: Usage | null;
  readonly isError: boolean;
};

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Reads an event of `/v1/messages` (`content_block_delta`) or of chat completions (a choice's `delta`). */
export function readAnswerEvent(value: unknown): AnswerEvent {
  return { text: generated(record(value)), ...readStreamEvent(value) };
}

function generated(event: Readonly<Record<string, unknown>>): string | null {
  if (event.type === 'content_block_delta') {
    const { text } = record(event.delta);
    return typeof text === 'string' ? text : '';
  }
  if (!Array.isArray(event.choices)) return null;
  const delta = record(record(event.choices[0]).delta);
  if (typeof delta.content === 'string' && delta.content !== '') return delta.content;
  const other = [delta.reasoning_content, delta.reasoning, delta.tool_calls];
  return other.some((part) => part !== undefined && part !== null && part !== '') ? '' : null;
}
