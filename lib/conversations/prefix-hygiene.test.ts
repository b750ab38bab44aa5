import { describe, expect, it } from 'vitest';
import { applySplices, billingLine, pinBillingLine } from './prefix-hygiene.ts';
import { bytesOf, spansOf } from './test-prompts.ts';

const LINE = 'x-anthropic-billing-header: cc_version=2.1.160.abc; cc_entrypoint=cli; cch=12ab3;';
const PINNED = 'x-anthropic-billing-header: pinned';

function pinned(body: unknown, api: 'messages' | 'chat' | 'responses' = 'messages'): unknown {
  const bytes = bytesOf(body);
  const edited = applySplices(bytes, pinBillingLine(bytes, spansOf(bytes, api), api));
  const parsed: unknown = JSON.parse(new TextDecoder().decode(edited));
  return parsed;
}

describe('the billing line', () => {
  it('is pinned in the first block of the system prompt, and nothing else is touched', () => {
    const body = (line: string) => ({
      messages: [{ role: 'user', content: LINE }],
      system: [
        { type: 'text', text: line },
        { type: 'text', text: `${LINE} not here`, cache_control: { type: 'ephemeral' } },
      ],
      tools: [{ name: 'ünï"\\' }],
    });
    expect(pinned(body(LINE))).toEqual(body(PINNED));
  });

  it('is pinned up to its end where the system prompt goes on behind it', () => {
    expect(pinned({ system: `${LINE}\nYou \\n are` })).toEqual({ system: `${PINNED}\nYou \\n are` });
    expect(pinned({ system: `${LINE} \\" "` })).toEqual({ system: PINNED });
  });

  it('is found in the first message of a gateway that translates', () => {
    const body = (line: string, role = 'system') => ({
      messages: [
        { role, content: [{ type: 'text', text: line }] },
        { role: 'user', content: 'hi' },
      ],
    });
    expect(pinned(body(LINE), 'chat')).toEqual(body(PINNED));
    expect(pinned(body(LINE, 'user'), 'chat')).toEqual(body(LINE, 'user'));
    expect(pinned({ messages: [{ content: LINE, role: 'system' }] }, 'chat')).toEqual({
      messages: [{ content: PINNED, role: 'system' }],
    });
  });

  it.each([
    ['no system prompt', { messages: [] }],
    ['another first block', { system: [{ type: 'text', text: `You ${LINE}` }] }],
    ['an empty system prompt', { system: [] }],
    ['a first block of another type', { system: [{ type: 'note', text: LINE }] }],
    ['one that is pinned already', { system: [{ type: 'text', text: PINNED }] }],
    ['a system prompt that is none', { system: { text: LINE } }],
  ])('is left alone: %s', (_, body) => {
    const bytes = bytesOf(body);
    expect(pinBillingLine(bytes, spansOf(bytes, 'messages'), 'messages')).toEqual([]);
  });

  it('is told from the bytes where it stands', () => {
    const bytes = bytesOf({ system: [{ text: LINE, type: 'text' }] });
    const line = billingLine(bytes, spansOf(bytes, 'messages'), 'messages');
    expect(new TextDecoder().decode(bytes.subarray(line?.start, line?.end))).toBe(LINE);
    expect(billingLine(bytes, spansOf(bytes, 'messages'), 'responses')).toBeNull();
  });
});

it('makes several edits of different lengths in one copy', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const edits = [
    { span: { start: 6, end: 7 }, replacement: encode('seven') },
    { span: { start: 0, end: 2 }, replacement: encode('') },
    { span: { start: 4, end: 4 }, replacement: encode('<>') },
  ];
  expect(new TextDecoder().decode(applySplices(encode('01234567'), edits))).toBe('23<>45seven7');
});
