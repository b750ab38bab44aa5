import { describe, expect, it } from 'vitest';
import { post, readJson, readStream, testFleet, WORDS } from './fleet-testing.ts';

const PATH = '/v1/responses';
const model = 'qwen3-4b-dp4';
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const tools = [
  { type: 'function', name: 'exec_command', parameters: { type: 'object' } },
  { type: 'namespace', name: 'agents_v1', tools: [{ type: 'function', name: 'spawn_agent' }] },
];

describe('responses', () => {
  it('answers with a message item and usage that always says what was cached', async () => {
    const fleet = await testFleet({ promptTokensDetails: false });
    const body = await readJson(await post(fleet, PATH, { model, input: WORDS, max_output_tokens: 20 }));
    expect(body).toMatchObject({
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text' }] }],
      usage: { input_tokens_details: { cached_tokens: 0 }, output_tokens: 20 },
    });
    expect(body.usage.total_tokens).toBe(body.usage.input_tokens + 20);
  });

  it('streams its events in order and numbers them, without [DONE]', async () => {
    const fleet = await testFleet();
    const { events, done } = await readStream(await post(fleet, PATH, { model, input: WORDS, stream: true }));
    expect(done).toBe(false);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, index) => index));
    const types = [...new Set(events.map(({ event }) => event))];
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const deltas = events.filter(({ event }) => event === 'response.output_text.delta');
    const text = deltas.map(({ data }) => data.delta).join('');
    const { response } = events.at(-1)?.data ?? {};
    expect(response.status).toBe('completed');
    expect(response.output[0].content[0].text).toBe(text);
    expect(events[0]?.data.response).toMatchObject({ id: response.id, status: 'in_progress', output: [], usage: null });
  });

  it('shows an item as it was when it began, not as it became', async () => {
    const fleet = await testFleet();
    const { events } = await readStream(await post(fleet, PATH, { model, input: WORDS, stream: true }));
    const added = events.find(({ event }) => event === 'response.output_item.added');
    expect(added?.data.item).toMatchObject({ status: 'in_progress', content: [] });
  });

  it('calls tools, with the namespace that one was offered in', async () => {
    const fleet = await testFleet();
    const input = [user('[[tool:exec_command {"cmd":"ls"}]] [[tool:spawn_agent {"task":"look"}]]')];
    const { output } = await readJson(await post(fleet, PATH, { model, input, tools }));
    expect(output).toMatchObject([
      { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', status: 'completed' },
      { type: 'function_call', name: 'spawn_agent', arguments: '{"task":"look"}', namespace: 'agents_v1' },
    ]);
    expect(output[0]).not.toHaveProperty('namespace');
  });

  it('streams a call’s arguments, and finds them in the cache when the result comes back', async () => {
    const fleet = await testFleet({ replicas: 1 });
    const input = [user(`${WORDS.repeat(20)}[[tool:exec_command {"cmd": "ls"}]]`)];
    const { events } = await readStream(await post(fleet, PATH, { model, input, tools, stream: true }));
    const deltas = events.filter(({ event }) => event === 'response.function_call_arguments.delta');
    expect(deltas.map(({ data }) => data.delta).join('')).toBe('{"cmd":"ls"}');
    const { output, usage } = events.at(-1)?.data.response ?? {};
    const result = { type: 'function_call_output', call_id: output[0].call_id, output: 'README.md' };
    const next = { model, tools, input: [...input, { type: 'reasoning', summary: [] }, ...output, result] };
    const body = await readJson(await post(fleet, PATH, next));
    expect(body.output[0].type).toBe('message');
    expect(body.usage.input_tokens_details.cached_tokens).toBe(Math.floor((usage.total_tokens - 1) / 16) * 16);
  });

  it('ignores the rank header, in range or not', async () => {
    const fleet = await testFleet();
    for (const stream of [false, false, false, true, true, true]) {
      const request = { model, input: 'hi', max_output_tokens: 2, stream };
      for (const rank of ['1', '99']) {
        const response = await post(fleet, PATH, request, { headers: { 'x-data-parallel-rank': rank } });
        expect(response.status).toBe(200);
        await response.text();
      }
    }
    expect(fleet.gauges().reduce((sum, { finished }) => sum + finished, 0)).toBe(12);
    expect(fleet.gauges()[1]?.finished).toBeLessThan(6);
    expect(fleet.gauges()[0]?.finished).toBeLessThan(6);
  });

  it('has no store to continue from', async () => {
    const fleet = await testFleet();
    const response = await post(fleet, PATH, { model, input: 'hi', previous_response_id: 'resp_1' });
    expect(response.status).toBe(404);
  });
});
