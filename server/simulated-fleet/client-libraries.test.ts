import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { testFleet, WORDS } from './fleet-testing.ts';

const model = 'qwen3-4b-dp4';
const marked = `${WORDS}[[tool:Bash {"command":"ls"}]]`;

describe('client libraries', () => {
  it('OpenAI’s puts a chat stream together, tool calls and usage included', async () => {
    const fleet = await testFleet();
    const client = new OpenAI({ baseURL: `${fleet.url}/v1`, apiKey: 'none' });
    const tool = { type: 'function', function: { name: 'Bash', parameters: { type: 'object' } } } as const;
    const stream = client.chat.completions.stream({
      model,
      messages: [{ role: 'user', content: marked }],
      tools: [tool],
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'Bash', arguments: '{"command":"ls"}' },
    });
    expect(completion.usage?.prompt_tokens_details?.cached_tokens).toBe(0);
  });

  it('OpenAI’s puts a responses stream together', async () => {
    const fleet = await testFleet();
    const client = new OpenAI({ baseURL: `${fleet.url}/v1`, apiKey: 'none' });
    const text = await client.responses.stream({ model, input: WORDS }).finalResponse();
    expect(text.output_text.length).toBeGreaterThan(40);
    const tools = [{ type: 'function', name: 'Bash', parameters: { type: 'object' }, strict: false }] as const;
    const called = await client.responses.stream({ model, input: marked, tools: [...tools] }).finalResponse();
    expect(called.output[0]).toMatchObject({ type: 'function_call', arguments: '{"command":"ls"}' });
  });

  it('Anthropic’s puts a messages stream together, text or tool use', async () => {
    const fleet = await testFleet();
    const client = new Anthropic({ baseURL: fleet.url, apiKey: 'none' });
    const ask = (content: string) =>
      client.messages
        .stream({
          model,
          max_tokens: 500,
          messages: [{ role: 'user', content }],
          tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
        })
        .finalMessage();
    const text = await ask(WORDS);
    expect(text.stop_reason).toBe('end_turn');
    expect(text.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(text.usage.cache_read_input_tokens).toBe(0);
    const called = await ask(marked);
    expect(called.stop_reason).toBe('tool_use');
    expect(called.content).toMatchObject([{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }]);
  });
});
