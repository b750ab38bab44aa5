import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createBodyTap } from './body-tap.ts';
import { createStreamTap } from './stream-tap.ts';

/** The answer of a real vLLM 0.32 to one of the recorded requests. */
function recorded(name: string): string {
  const file = readFileSync(new URL(`../../fixtures/vllm/${name}.json`, import.meta.url), 'utf8');
  const { response } = JSON.parse(file);
  return typeof response === 'string' ? response : JSON.stringify(response);
}

function tapped(name: string, tap: ReturnType<typeof createStreamTap>) {
  tap.chunk(new TextEncoder().encode(recorded(name)));
  return tap.result();
}

describe('the usage that vLLM 0.32 reports', () => {
  it.each(['chat', 'completion', 'messages', 'responses'])('is read from the body of %s', (name) => {
    const { usage } = tapped(name, createBodyTap());
    expect(usage.promptTokens).toBeGreaterThan(64);
    expect(usage.completionTokens).toBe(4);
    expect(usage.cachedTokens).not.toBeNull();
  });

  it.each(['chat-stream-usage', 'completion-stream-usage', 'messages-stream', 'responses-stream'])(
    'is read from the stream of %s, and equals what the body of the same request says of its prompt',
    (name) => {
      const { usage, sawError } = tapped(name, createStreamTap());
      const body = tapped(name.replace(/-stream.*/, ''), createBodyTap()).usage;
      expect(sawError).toBe(false);
      expect(usage.promptTokens).toBe(body.promptTokens);
      expect(usage.completionTokens).toBe(4);
      expect(usage.cachedTokens).toBeGreaterThan(0);
    },
  );

  it('counts the same prompt for messages as for chat, though Anthropic usage leaves the cached part out', () => {
    const chat = tapped('chat-stream-usage', createStreamTap()).usage;
    expect(tapped('messages-stream', createStreamTap()).usage).toEqual(chat);
  });

  it('is absent from a stream of which nobody asked it', () => {
    expect(tapped('chat-stream', createStreamTap()).usage.promptTokens).toBeNull();
  });
});

describe('an error under status 200', () => {
  it.each(['chat-rank-out-of-range-stream', 'messages-rank-out-of-range-stream'])('is seen in %s', (name) => {
    expect(tapped(name, createStreamTap()).sawError).toBe(true);
  });
});
