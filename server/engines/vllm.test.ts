import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineAdapter } from './adapter.ts';
import { EngineError } from './engine-error.ts';
import { answerAsVllm, portOf, type ScriptedEngine, startScriptedEngine } from './scripted-engine.ts';
import { createVllmAdapter, type VllmAdapterOptions } from './vllm.ts';

const METRICS = readFileSync(new URL('../../fixtures/engine/metrics-4rank-multiproc.txt', import.meta.url), 'utf8');
const never = new AbortController().signal;

let engine: ScriptedEngine;
const adapters: EngineAdapter[] = [];

function adapterFor(options: Partial<VllmAdapterOptions> = {}): EngineAdapter {
  const adapter = createVllmAdapter({ url: engine.url, apiKey: null, ...options });
  adapters.push(adapter);
  return adapter;
}

async function failureOf(call: Promise<unknown>): Promise<EngineError> {
  const error = await call.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof EngineError)) throw error;
  return error;
}

beforeEach(async () => {
  engine = await startScriptedEngine();
  answerAsVllm(engine, 100);
});
afterEach(async () => {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.close()));
  await engine.close();
});

describe('facts', () => {
  it('reads models and version; max_num_seqs is unknown where the engine is not in development mode', async () => {
    expect(await adapterFor().facts(never)).toEqual({
      models: [{ id: 'qwen', maxModelLen: 32768, parent: null }],
      version: '0.28.0',
      maxNumSeqs: null,
      simulated: false,
    });
  });

  it('reads max_num_seqs in development mode, LoRA adapters, and that a fleet is simulated', async () => {
    engine.answer(
      '/v1/models',
      '{"data":[{"id":"base","max_model_len":4096},{"id":"lora","parent":"base","max_model_len":null}]}',
    );
    engine.answer('/version', '{"version":"0.28.0","simulated":true}');
    engine.answer('/server_info?config_format=json', '{"vllm_config":{"scheduler_config":{"max_num_seqs":32}}}');
    expect(await adapterFor().facts(never)).toEqual({
      models: [
        { id: 'base', maxModelLen: 4096, parent: null },
        { id: 'lora', maxModelLen: null, parent: 'base' },
      ],
      version: '0.28.0',
      maxNumSeqs: 32,
      simulated: true,
    });
  });

  it.each(['{"vllm_config":"a long text"}', '<html>', '{"vllm_config":{"scheduler_config":{"max_num_seqs":0}}}'])(
    'takes a server_info of %j for unknown',
    async (body) => {
      engine.answer('/server_info?config_format=json', body);
      expect((await adapterFor().facts(never)).maxNumSeqs).toBeNull();
    },
  );

  it('does without a version', async () => {
    engine.answer('/version', 404);
    expect(await adapterFor().facts(never)).toMatchObject({ version: null, simulated: false });
  });

  it('sends the API key as a bearer token', async () => {
    await adapterFor({ apiKey: 'sk-secret' }).facts(never);
    const models = engine.requests.find(({ url }) => url === '/v1/models');
    expect(models?.headers.authorization).toBe('Bearer sk-secret');
  });

  it('says that the engine wants a key, or refuses the one configured', async () => {
    engine.answer('/v1/models', 401);
    const without = await failureOf(adapterFor().facts(never));
    expect(without.message).toBe(`GET ${engine.url}/v1/models: HTTP 401: the engine wants an API key`);
    expect(without.status).toBe(401);
    const withKey = await failureOf(adapterFor({ apiKey: 'sk-secret' }).facts(never));
    expect(withKey.message).toBe(`GET ${engine.url}/v1/models: HTTP 401: the engine refuses the configured API key`);
  });

  it.each(['{"data":"none"}', 'not JSON', '{"data":[{"id":7}]}'])('refuses %j as a list of models', async (body) => {
    engine.answer('/v1/models', body);
    const { message } = await failureOf(adapterFor().facts(never));
    expect(message).toBe(`GET ${engine.url}/v1/models: the answer is not a list of models`);
  });

  it('says that the address may be wrong where there is no model list', async () => {
    const { message } = await failureOf(adapterFor({ url: `${engine.url}/v1` }).facts(never));
    expect(message).toContain('/v1/v1/models: HTTP 404');
    expect(message).toContain('without /v1');
  });

  it('does not follow a redirect', async () => {
    engine.answer('/v1/models', (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    const { message } = await failureOf(adapterFor().facts(never));
    expect(message).toContain('HTTP 307: a redirect, which is not followed');
    expect(engine.count('/elsewhere')).toBe(0);
  });
});

describe('reading', () => {
  it('reads the ranks and says when', async () => {
    engine.answer('/metrics', METRICS);
    const reading = await adapterFor({ now: () => 1234 }).reading(never);
    expect(reading.takenAt).toBe(1234);
    expect(reading.ranks.map(({ rank, running }) => [rank, running])).toEqual([
      [0, 3],
      [1, 4],
      [2, 2],
      [3, 0],
    ]);
  });

  it('has no ranks where the engine has no metrics or none of vLLM', async () => {
    engine.answer('/metrics', 404);
    expect((await adapterFor().reading(never)).ranks).toEqual([]);
    engine.answer('/metrics', 'up 1\n');
    expect((await adapterFor().reading(never)).ranks).toEqual([]);
  });

  it('refuses an answer larger than 16 MB, and can go on afterwards', async () => {
    engine.answer('/metrics', (_request, response) => response.end(Buffer.alloc(17 * 1024 * 1024, 0x23)));
    const adapter = adapterFor();
    const { message } = await failureOf(adapter.reading(never));
    expect(message).toBe(`GET ${engine.url}/metrics: the answer is larger than 16 MB`);
    engine.answer('/metrics', METRICS);
    expect((await adapter.reading(never)).ranks).toHaveLength(4);
  });

  it.each([
    ['before the headers', () => {}],
    ['within the body', (_request: unknown, response: ServerResponse) => void response.write('vllm:')],
  ])('gives up on an engine that falls silent %s', async (_when, answer) => {
    engine.answer('/metrics', answer);
    const { message } = await failureOf(adapterFor({ timeoutMs: 60 }).reading(never));
    expect(message).toBe(`GET ${engine.url}/metrics: no answer within 0.06 s`);
  });

  it('ends with the reason of the signal where it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('closing');
    engine.answer('/metrics', () => controller.abort(reason));
    await expect(adapterFor().reading(controller.signal)).rejects.toBe(reason);
    await expect(adapterFor().reading(controller.signal)).rejects.toBe(reason);
  });

  it('tries once more where the engine closes the connection before an answer', async () => {
    let isFirst = true;
    engine.answer('/metrics', (request, response) => {
      if (isFirst) request.socket.destroy();
      else response.end(METRICS);
      isFirst = false;
    });
    expect((await adapterFor().reading(never)).ranks).toHaveLength(4);
    engine.answer('/metrics', (request) => request.socket.destroy());
    const { message } = await failureOf(adapterFor().reading(never));
    expect(message).toBe(`GET ${engine.url}/metrics: the connection was closed before an answer came`);
    expect(engine.count('/metrics')).toBe(4);
  });

  it('says that the connection was refused', async () => {
    await engine.close();
    const { message } = await failureOf(adapterFor().reading(never));
    expect(message).toBe(`GET ${engine.url}/metrics: connection refused`);
  });

  it('says that the other side does not speak HTTP', async () => {
    const { server, url } = await startSpeakingNonsense();
    const { message } = await failureOf(adapterFor({ url }).reading(never));
    expect(message).toBe(`GET ${url}/metrics: the answer is not HTTP`);
    server.close();
  });

  it('says that TLS failed where the engine speaks plain HTTP', async () => {
    const { message } = await failureOf(adapterFor({ url: engine.url.replace('http', 'https') }).reading(never));
    expect(message).toContain('TLS failed');
  });
});

describe('healthy', () => {
  it('is what the engine says of itself', async () => {
    expect(await adapterFor().healthy(never)).toBe(true);
    engine.answer('/health', 503);
    expect(await adapterFor().healthy(never)).toBe(false);
  });

  it('does not hold a missing endpoint against the engine, but a missing key', async () => {
    engine.answer('/health', 404);
    expect(await adapterFor().healthy(never)).toBe(true);
    engine.answer('/health', 403);
    expect((await failureOf(adapterFor().healthy(never))).message).toContain('wants an API key');
  });
});

describe('url', () => {
  it('is shown without user, password, query and the slash at the end, also in messages', async () => {
    const { host } = new URL(engine.url);
    const adapter = adapterFor({ url: `http://user:secret@${host}/base/?token=secret` });
    expect(adapter.url).toBe(`http://${host}/base`);
    expect((await failureOf(adapter.facts(never))).message).toContain(`GET http://${host}/base/v1/models: HTTP 404`);
  });
});

async function startSpeakingNonsense(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${portOf(server)}` };
}

describe('a vLLM 0.32 as recorded', () => {
  const recorded = (name: string) => readFileSync(new URL(`../../fixtures/vllm/${name}`, import.meta.url), 'utf8');
  const answerOf = (name: string): string => JSON.stringify(JSON.parse(recorded(`${name}.json`)).response);

  it('tells its models, its version and max_num_seqs', async () => {
    engine.answer('/v1/models', answerOf('models'));
    engine.answer('/version', answerOf('version'));
    engine.answer('/server_info?config_format=json', recorded('server-info.json'));
    expect(await adapterFor().facts(never)).toEqual({
      models: [{ id: 'tiny', maxModelLen: 4096, parent: null }],
      version: '0.32.0',
      maxNumSeqs: 4,
      simulated: false,
    });
  });

  it('gets more time for its first server_info than for anything else', async () => {
    engine.answer('/server_info?config_format=json', (_request, response) => {
      setTimeout(() => response.end(recorded('server-info.json')), 1200);
    });
    expect((await adapterFor({ timeoutMs: 1000 }).facts(never)).maxNumSeqs).toBe(4);
  });

  it('is not usable while it sleeps, whatever its health says', async () => {
    const awake = recorded('metrics-one-rank.txt');
    engine.answer('/metrics', awake);
    expect((await adapterFor().reading(never)).ranks).toHaveLength(1);
    engine.answer('/metrics', awake.replace('sleep_state="awake"} 1.0', 'sleep_state="awake"} 0.0'));
    expect((await failureOf(adapterFor().reading(never))).message).toContain('sleeps');
  });
});
