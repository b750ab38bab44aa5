import { describe, expect, it } from 'vitest';
import { post, readJson, readStream, testFleet, WORDS } from './fleet-testing.ts';

const PATH = '/v1/completions';
const model = 'qwen3-4b-dp4';

describe('completions', () => {
  it('answers 16 tokens unless told otherwise', async () => {
    const fleet = await testFleet();
    const body = await readJson(await post(fleet, PATH, { model, prompt: WORDS }));
    expect(body).toMatchObject({ object: 'text_completion', choices: [{ index: 0, finish_reason: 'length' }] });
    expect(body.choices[0].text).toHaveLength(64);
    expect(body.usage).toMatchObject({ prompt_tokens: Math.ceil(WORDS.length / 4), completion_tokens: 16 });
  });

  it('streams text, then the reason, then the usage that was asked for', async () => {
    const fleet = await testFleet();
    const request = { model, prompt: WORDS, max_tokens: 5, stream: true, stream_options: { include_usage: true } };
    const { events, done } = await readStream(await post(fleet, PATH, request));
    expect(done).toBe(true);
    expect(events.slice(0, -1).map(({ data }) => data.choices[0].finish_reason)).toEqual([
      null,
      null,
      null,
      null,
      'length',
    ]);
    expect(events.at(-1)?.data).toMatchObject({ choices: [], usage: { completion_tokens: 5 } });
  });

  it('takes token ids, and finds them in the cache of their rank', async () => {
    const fleet = await testFleet();
    const { tokens } = await readJson(await post(fleet, '/tokenize', { model, prompt: WORDS.repeat(10) }));
    const ask = async (prompt: unknown) => {
      const options = { headers: { 'x-data-parallel-rank': '1' } };
      return (await readJson(await post(fleet, PATH, { model, prompt, max_tokens: 1 }, options))).usage;
    };
    expect((await ask(tokens)).prompt_tokens).toBe(tokens.length);
    const again = await ask(WORDS.repeat(10));
    expect(again.prompt_tokens_details.cached_tokens).toBe(Math.floor((tokens.length - 1) / 16) * 16);
  });

  it('refuses a rank out of range: 400, or 200 and an error event when streaming', async () => {
    const fleet = await testFleet();
    const options = { headers: { 'x-data-parallel-rank': '4' } };
    expect((await post(fleet, PATH, { model, prompt: 'hi' }, options)).status).toBe(400);
    const streamed = await post(fleet, PATH, { model, prompt: 'hi', stream: true }, options);
    expect(streamed.status).toBe(200);
    expect((await readStream(streamed)).events[0]?.data.error.code).toBe(400);
  });

  it('refuses an empty prompt and stray stream options', async () => {
    const fleet = await testFleet();
    for (const request of [{ prompt: '' }, { prompt: [] }, { prompt: 'hi', stream_options: {} }]) {
      expect((await post(fleet, PATH, { model, ...request })).status).toBe(400);
    }
  });
});
