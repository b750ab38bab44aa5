import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually, post, readJson, testFleet, WORDS } from './fleet-testing.ts';

const model = 'qwen3-4b-dp4';
const chat = { model, messages: [{ role: 'user', content: WORDS }], max_tokens: 3 };

describe('simulated fleet', () => {
  it('says what it is, and that it is simulated', async () => {
    const fleet = await testFleet({ version: '0.26.0-simulated' });
    const health = await fetch(`${fleet.url}/health`);
    expect([health.status, await health.text()]).toEqual([200, '']);
    const version = await readJson(await fetch(`${fleet.url}/version`));
    expect(version).toEqual({ version: '0.26.0-simulated', simulated: true });
    const { data } = await readJson(await fetch(`${fleet.url}/v1/models`));
    expect(data).toMatchObject([{ id: model, object: 'model', max_model_len: 131_072, parent: null }]);
  });

  it('answers 404 to what it does not have and 405 to the wrong method', async () => {
    const fleet = await testFleet();
    const unknown = await fetch(`${fleet.url}/v1/load_lora_adapter`, { method: 'POST' });
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: 'Not Found' }]);
    const wrong = await fetch(`${fleet.url}/v1/messages`);
    expect([wrong.status, await wrong.json()]).toEqual([405, { detail: 'Method Not Allowed' }]);
  });

  it('wants its key as a bearer token under /v1 and nowhere else', async () => {
    const fleet = await testFleet({ apiKey: 'secret' });
    for (const headers of [{}, { 'x-api-key': 'secret' }, { authorization: 'Bearer wrong' }]) {
      const refused = await post(fleet, '/v1/messages', chat, { headers });
      expect([refused.status, await refused.json()]).toEqual([401, { error: 'Unauthorized' }]);
    }
    const headers = { authorization: 'Bearer secret' };
    expect((await post(fleet, '/v1/chat/completions', chat, { headers })).status).toBe(200);
    expect((await fetch(`${fleet.url}/metrics`)).status).toBe(200);
  });

  it('tokenizes a text or a conversation, and back', async () => {
    const fleet = await testFleet();
    const text = await readJson(await post(fleet, '/tokenize', { model, prompt: WORDS }));
    expect(text).toMatchObject({ count: text.tokens.length, max_model_len: 131_072, token_strs: null });
    expect(await readJson(await post(fleet, '/detokenize', { model, tokens: text.tokens }))).toEqual({ prompt: WORDS });
    const conversation = await readJson(await post(fleet, '/tokenize', { model, messages: chat.messages }));
    const { usage } = await readJson(await post(fleet, '/v1/chat/completions', chat));
    expect(conversation.count).toBe(usage.prompt_tokens);
    expect((await post(fleet, '/tokenize', { model })).status).toBe(400);
  });

  it('embeds each text into a few numbers', async () => {
    const fleet = await testFleet();
    const { data } = await readJson(await post(fleet, '/v1/embeddings', { model, input: ['one', 'two'] }));
    expect(data.map((entry: { index: number }) => entry.index)).toEqual([0, 1]);
    expect(data[0].embedding).not.toEqual(data[1].embedding);
  });

  it('says nothing of how long it keeps a connection, and keeps it', async () => {
    const fleet = await testFleet();
    const socket = connect(Number(new URL(fleet.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
    });
    const ask = () => socket.write('GET /version HTTP/1.1\r\nHost: fleet\r\n\r\n');
    ask();
    await eventually(() => received.includes('simulated":true'));
    expect(received.toLowerCase()).not.toContain('keep-alive');
    expect(received.toLowerCase()).not.toContain('connection:');
    received = '';
    ask();
    await eventually(() => received.includes('simulated":true'));
    socket.destroy();
  });

  it('sends a stream’s headers before the prompt is computed', async () => {
    const fleet = await testFleet({ speed: 1 });
    const long = { ...chat, stream: true, messages: [{ role: 'user', content: WORDS.repeat(2000) }] };
    const response = await post(fleet, '/v1/chat/completions', long);
    expect(response.status).toBe(200);
    expect(fleet.gauges().every(({ generationTokens }) => generationTokens === 0)).toBe(true);
    await response.body?.cancel();
  });

  it('places requests without a rank by its balancer', async () => {
    for (const balancer of ['round-robin', 'load-aware'] as const) {
      const fleet = await testFleet({ balancer });
      const hold = { ...chat, ignore_eos: true, max_tokens: 400, stream: true };
      await Promise.all(
        Array.from({ length: 8 }, async () => (await post(fleet, '/v1/chat/completions', hold)).text()),
      );
      expect(fleet.gauges().filter(({ finished }) => finished > 0).length).toBeGreaterThan(1);
      expect(fleet.gauges().reduce((sum, { finished }) => sum + finished, 0)).toBe(8);
    }
  });
});

describe('a client that leaves', () => {
  const counts = (fleet: Awaited<ReturnType<typeof testFleet>>) => {
    const [gauges] = fleet.gauges();
    if (gauges === undefined) throw new Error('no replica');
    return gauges;
  };
  const long = { ...chat, max_tokens: 20_000, ignore_eos: true };

  it.each([true, false])('is dropped while its tokens come (stream: %s)', async (stream) => {
    const fleet = await testFleet({ replicas: 1 });
    const leaving = new AbortController();
    const { signal } = leaving;
    const answered = post(fleet, '/v1/chat/completions', { ...long, stream }, { signal }).then((response) =>
      response.text(),
    );
    await eventually(() => counts(fleet).generationTokens > 20);
    expect(counts(fleet).running).toBe(1);
    leaving.abort();
    await expect(answered).rejects.toThrow('abort');
    await eventually(() => counts(fleet).aborted === 1);
    expect(counts(fleet)).toMatchObject({ running: 0, waiting: 0, kvUsage: 0, finished: 1 });
    expect(counts(fleet).generationTokens).toBeLessThan(20_000);
  });

  it('is dropped before its first token', async () => {
    const fleet = await testFleet({ replicas: 1, speed: 2 });
    const leaving = new AbortController();
    const { signal } = leaving;
    const body = { ...long, stream: true, messages: [{ role: 'user', content: WORDS.repeat(4000) }] };
    const answered = post(fleet, '/v1/chat/completions', body, { signal }).then((response) => response.text());
    await eventually(() => counts(fleet).running === 1);
    leaving.abort();
    await expect(answered).rejects.toThrow('abort');
    await eventually(() => counts(fleet).aborted === 1);
    expect(counts(fleet)).toMatchObject({ running: 0, kvUsage: 0, generationTokens: 0, computedTokens: 0 });
  });

  it('is dropped from the queue', async () => {
    const { PRESETS } = await import('#lib/simulation/profile.ts');
    const fleet = await testFleet({ replicas: 1, preset: { ...PRESETS.demo, maxNumSeqs: 1 } });
    const first = new AbortController();
    const second = new AbortController();
    const ask = (signal: AbortSignal) =>
      post(fleet, '/v1/messages', { model, max_tokens: 30_000, stream: true, messages: chat.messages }, { signal });
    const running = post(fleet, '/v1/chat/completions', { ...long, stream: true }, { signal: first.signal });
    await eventually(() => counts(fleet).running === 1);
    const queued = ask(second.signal).then((response) => response.text());
    await eventually(() => counts(fleet).waiting === 1);
    second.abort();
    await expect(queued).rejects.toThrow('abort');
    await eventually(() => counts(fleet).aborted === 1);
    expect(counts(fleet)).toMatchObject({ running: 1, waiting: 0 });
    first.abort();
    await running.then((response) => response.text()).catch(() => {});
  });
});

describe('restart', () => {
  it('resets idle connections too', async () => {
    const fleet = await testFleet();
    const socket = connect(Number(new URL(fleet.url).port), '127.0.0.1');
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));
    let answered = false;
    socket.on('data', () => {
      answered = true;
    });
    socket.write('GET /version HTTP/1.1\r\nHost: fleet\r\n\r\n');
    await eventually(() => answered);
    await fleet.restart();
    expect((await failed).code).toBe('ECONNRESET');
  });

  it('resets connections, forgets caches and counters, and comes back on its port as a new process', async () => {
    const fleet = await testFleet();
    const startTime = async () => {
      const text = await (await fetch(`${fleet.url}/metrics`)).text();
      return Number(/^process_start_time_seconds (\S+)$/m.exec(text)?.[1]);
    };
    const before = await startTime();
    const rank = { headers: { 'x-data-parallel-rank': '0' } };
    await (await post(fleet, '/v1/chat/completions', chat, rank)).text();
    const open = post(fleet, '/v1/chat/completions', { ...chat, stream: true, max_tokens: 20_000, ignore_eos: true });
    const streaming = (await open).text();
    const broken = expect(streaming).rejects.toThrow();
    await eventually(() => fleet.gauges().some(({ running }) => running > 0));
    await fleet.restart();
    await broken;
    const zero = { running: 0, waiting: 0, kvUsage: 0, finished: 0, aborted: 0 };
    expect(fleet.gauges()).toEqual(
      fleet.gauges().map(() => ({ ...zero, cachedTokens: 0, computedTokens: 0, generationTokens: 0 })),
    );
    expect(await startTime()).toBeGreaterThan(before);
    const { usage } = await readJson(await post(fleet, '/v1/chat/completions', chat, rank));
    expect(usage.prompt_tokens_details.cached_tokens).toBe(0);
  });
});
