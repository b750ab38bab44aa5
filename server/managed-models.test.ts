import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { auditList } from '#lib/contract/access.ts';
import { eventList } from '#lib/contract/activity.ts';
import { modelConfiguration, probeResult } from '#lib/contract/managed-models.ts';
import { modelList } from '#lib/contract/models.ts';
import type { SimulatedFleetOptions } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function fleet(options: SimulatedFleetOptions = {}) {
  const started = await startSimulatedFleet({ replicas: 2, speed: 50, ...options });
  closing.push(started);
  return started;
}

/** A warden whose file has one model of its own. */
async function start(): Promise<TestWarden> {
  const warden = await startTestWarden({ fleets: [await fleet()], model: { aliases: ['claude-*'] } });
  closing.push(warden);
  return warden;
}

async function call(warden: TestWarden, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${warden.url}/api/models${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const names = async (warden: TestWarden) =>
  modelList.parse(await (await call(warden, 'GET', '')).json()).models.map(({ name }) => name);
const chat = (warden: TestWarden, model: string, more: object = {}) =>
  warden.post('/v1/chat/completions', {
    model,
    max_tokens: 2,
    messages: [{ role: 'user', content: 'hello' }],
    ...more,
  });
const problem = async (answer: Response) => ({ status: answer.status, ...(await answer.json()) });

describe('a probe', () => {
  it('says what engines are and what their model would be', async () => {
    const [one, two] = [await fleet({ servedModelName: 'org/qwen' }), await fleet({ servedModelName: 'org/qwen' })];
    const warden = await start();
    const answer = await call(warden, 'POST', '/probe', { urls: [`${one.url}/v1/`, two.url], generate: true });
    const result = probeResult.parse(await answer.json());
    expect(result.urls).toMatchObject([
      { url: one.url, problem: null, engine: { ranks: 2, simulated: true }, generated: { ok: true, status: 200 } },
      { url: two.url, problem: null, engine: { models: [{ id: 'org/qwen' }] }, generated: { ok: true } },
    ]);
    expect(result.urls[0]?.engine?.kv_capacity_tokens).toBeGreaterThan(1000);
    expect(result.suggestion).toMatchObject({ name: 'org/qwen', replicas: 4, aliases: [] });
    expect(result.warnings).toEqual([{ code: 'max_num_seqs_unknown' }]);
  });

  it('repeats what an engine said of a wrong key, and of none', async () => {
    const { url } = await fleet({ apiKey: 'right-key' });
    const warden = await start();
    const probe = async (api_key: string | null) =>
      probeResult.parse(await (await call(warden, 'POST', '/probe', { urls: [url], api_key })).json()).urls[0];
    expect((await probe('wrong-key'))?.problem).toMatchObject({
      code: 'wrong_key',
      status: 401,
      said: expect.stringContaining('Unauthorized'),
    });
    expect((await probe(null))?.problem).toMatchObject({ code: 'wants_key', status: 401 });
    expect(await probe('right-key')).toMatchObject({ problem: null, engine: { ranks: 2 } });
  });

  it('follows no redirect, takes no page for an engine, and never asks a metadata service', async () => {
    let asked = 0;
    const server = createServer((req, res) => {
      asked += 1;
      if (req.url?.startsWith('/moved')) res.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>A page</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push({ close: () => new Promise((resolve) => void server.close(() => resolve())) });
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const warden = await start();
    const urls = [
      `${here}/moved`,
      here,
      'http://169.254.169.254',
      'http://u:hunter2@gpu',
      'ftp://gpu',
      'http://127.0.0.1:9',
    ];
    const text = await (await call(warden, 'POST', '/probe', { urls })).text();
    const { urls: found, suggestion } = probeResult.parse(JSON.parse(text));
    expect(found.map((one) => one.problem?.code)).toEqual([
      'redirect',
      'not_an_engine',
      'refused_host',
      'credentials',
      'scheme',
      'unreachable',
    ]);
    expect(suggestion).toBeNull();
    expect(text).not.toContain('hunter2');
    expect(asked).toBe(2);
  });
});

describe('a probe of a warden', () => {
  it('takes it for none of its engines', async () => {
    const warden = await start();
    const answer = await call(warden, 'POST', '/probe', { urls: [warden.url] });
    const { urls, suggestion } = probeResult.parse(await answer.json());
    expect(urls[0]?.problem).toMatchObject({ code: 'is_warden' });
    expect(suggestion).toBeNull();
  });
});

describe('a model that is added in the console', () => {
  it('serves the next request, without a restart, and after one', async () => {
    const { url } = await fleet({ servedModelName: 'org/llama', apiKey: 'the-key' });
    const warden = await start();
    const added = await call(warden, 'POST', '', {
      name: 'team/llama',
      urls: [url],
      api_key: 'the-key',
      aliases: ['gpt-*'],
      max_num_seqs: 16,
      cache_fit: true,
    });
    expect(added.status).toBe(200);
    expect(modelConfiguration.parse(await added.json())).toMatchObject({
      name: 'team/llama',
      origin: 'console',
      can_change: true,
      urls: [url],
      has_api_key: true,
      max_num_seqs: 16,
      cache_fit: true,
      spill_threshold: 'auto',
    });
    for (const name of ['team/llama', 'gpt-5']) {
      const answer = await chat(warden, name);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-warden-replica')).toMatch(/[01]/);
    }
    expect((await warden.routing('team/llama')).spill_threshold).toBe(4);

    await warden.restart();
    expect(await names(warden)).toEqual([TEST_MODEL, 'team/llama']);
    expect((await chat(warden, 'gpt-5')).status).toBe(200);
  });

  it('gives its key to the engine alone', async () => {
    const { url } = await fleet({ apiKey: 'sk-very-secret-1' });
    const warden = await start();
    await call(warden, 'POST', '', { name: 'secret-model', urls: [url], api_key: 'sk-very-secret-1' });
    await call(warden, 'PATCH', '/secret-model', { api_key: 'sk-very-secret-2' });
    const paths = [
      '/api/models',
      '/api/models/secret-model',
      '/api/models/secret-model/routing',
      '/api/events',
      '/api/settings',
      '/api/audit',
      '/metrics',
    ];
    for (const path of paths) {
      const text = await (await fetch(warden.url + path)).text();
      expect(text, path).not.toContain('sk-very-secret');
    }
    const audit = auditList.parse(await (await fetch(`${warden.url}/api/audit`)).json());
    expect(audit.entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['model.change', 'secret-model'],
      ['model.add', 'secret-model'],
    ]);
    const file = join(warden.dataDir, 'warden.db');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(`${file}-wal`).includes('sk-very-secret-2')).toBe(true);
  });

  it('takes no name, alias or address that is another’s, or none at all', async () => {
    const { url } = await fleet();
    const warden = await start();
    const add = async (body: object) => problem(await call(warden, 'POST', '', { name: 'new', urls: [url], ...body }));
    expect(await add({ name: TEST_MODEL })).toMatchObject({ status: 409, field: 'name' });
    expect(await add({ aliases: ['claude-*'] })).toMatchObject({ status: 409, field: 'aliases' });
    expect(await add({ urls: ['http://169.254.169.254'] })).toMatchObject({ status: 400, field: 'urls' });
    expect(await add({ urls: [url, `${url}/v1`] })).toMatchObject({ status: 400, field: 'urls' });
    expect(await add({ name: ' ' })).toMatchObject({ status: 400, field: 'name' });
    expect(await add({ api_key: 'two words' })).toMatchObject({ status: 400, field: 'api_key' });
    expect(await names(warden)).toEqual([TEST_MODEL]);
    expect((await call(warden, 'POST', '', { name: 'new', urls: [url] })).status).toBe(200);
    expect(await add({})).toMatchObject({ status: 409, field: 'name' });
  });

  it('is served although its engine is down, and comes up with it', async () => {
    const warden = await start();
    await call(warden, 'POST', '', { name: 'later', urls: ['http://127.0.0.1:9'] });
    const { models } = modelList.parse(await (await call(warden, 'GET', '')).json());
    expect(models.find(({ name }) => name === 'later')).toMatchObject({ health: 'down', origin: 'console' });
    expect((await chat(warden, 'later')).status).toBe(503);
  });
});

describe('a change', () => {
  it('is in force for the next request, and leaves what is in flight and at home alone', async () => {
    const slow = await fleet({ speed: 1 });
    const warden = await start();
    await call(warden, 'POST', '', { name: 'mine', urls: [slow.url] });
    const stream = await chat(warden, 'mine', { stream: true, max_tokens: 60 });
    const changed = await call(warden, 'PATCH', '/mine', {
      aliases: ['other'],
      max_num_seqs: 64,
      affinity: false,
      spill_threshold: 5,
    });
    expect(modelConfiguration.parse(await changed.json())).toMatchObject({ affinity: false, spill_threshold: 5 });
    expect(await warden.routing('mine')).toMatchObject({ max_num_seqs: 64, totals: { in_flight: 1 } });
    expect((await chat(warden, 'other')).status).toBe(200);
    expect(await stream.text()).toContain('[DONE]');

    await warden.restart();
    expect(await warden.routing('mine')).toMatchObject({ affinity: false, spill_threshold: 5, max_num_seqs: 64 });
  });

  it('moves to other engines', async () => {
    const [before, after] = [await fleet({ replicas: 1 }), await fleet({ replicas: 4 })];
    const warden = await start();
    await call(warden, 'POST', '', { name: 'mine', urls: [before.url] });
    await call(warden, 'PATCH', '/mine', { urls: [after.url] });
    expect((await warden.routing('mine')).replicas).toHaveLength(4);
    expect((await chat(warden, 'mine')).status).toBe(200);
  });

  it('never sends a kept key to a host that it was not given for', async () => {
    const [own, foreign] = [await fleet({ apiKey: 'k1' }), await fleet()];
    const warden = await start();
    await call(warden, 'POST', '', { name: 'mine', urls: [own.url], api_key: 'k1' });
    const refused = await call(warden, 'PATCH', '/mine', { urls: [own.url, foreign.url] });
    expect(await problem(refused)).toMatchObject({ status: 400, field: 'api_key' });
    const probe = await call(warden, 'POST', '/probe', { urls: [own.url, foreign.url], model: 'mine' });
    const { urls } = probeResult.parse(await probe.json());
    expect(urls.map((one) => one.problem)).toEqual([null, null]);
    // The same host with the key that is kept, another one without: that one would refuse it.
    const strict = await fleet({ apiKey: 'k2' });
    const other = await call(warden, 'POST', '/probe', { urls: [strict.url], model: 'mine' });
    expect(probeResult.parse(await other.json()).urls[0]?.problem).toMatchObject({ code: 'wants_key' });
    expect((await call(warden, 'PATCH', '/mine', { urls: [strict.url], api_key: 'k2' })).status).toBe(200);
    expect((await chat(warden, 'mine')).status).toBe(200);
  });

  it('of a model of the file is refused, and says where it is defined', async () => {
    const warden = await start();
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await problem(await call(warden, method, `/${TEST_MODEL}`, { aliases: [] }));
      expect(answer).toMatchObject({ status: 409, detail: expect.stringContaining('warden.yaml') });
    }
    const own = modelConfiguration.parse(await (await call(warden, 'GET', `/${TEST_MODEL}`)).json());
    expect(own).toMatchObject({ origin: 'file', can_change: false, can_remove: false, aliases: ['claude-*'] });
    expect((await call(warden, 'PATCH', '/nobody', { aliases: [] })).status).toBe(404);
  });
});

describe('a removal', () => {
  it('lets streams end, takes no new request, and forgets homes and settings', async () => {
    const slow = await fleet({ speed: 1 });
    const warden = await start();
    const model = { name: 'org/short-lived', urls: [slow.url] };
    await call(warden, 'POST', '', model);
    await warden.patchRouting({ affinity: false, spill_threshold: 3 }, model.name);
    await warden.patchRouting({ affinity: true }, model.name);
    const stream = await chat(warden, model.name, { stream: true, max_tokens: 60 });
    const removed = await call(warden, 'DELETE', `/${encodeURIComponent(model.name)}`);
    expect(await removed.json()).toEqual({ name: model.name, in_flight: 1 });
    expect((await chat(warden, model.name)).status).toBe(404);
    expect(await stream.text()).toContain('[DONE]');

    await call(warden, 'POST', '', model);
    const again = await warden.routing(model.name);
    expect(again).toMatchObject({ spill_threshold_source: 'auto', affinity: true });
    expect(again.replicas.map((replica) => replica.live_sessions)).toEqual([0, 0]);
    await warden.restart();
    expect(await warden.routing(model.name)).toMatchObject({ spill_threshold_source: 'auto' });
    await eventually(async () => {
      const { events } = eventList.parse(await (await fetch(`${warden.url}/api/events`)).json());
      const kinds = events.filter((event) => event.model === model.name).map((event) => event.kind);
      expect(kinds).toEqual(expect.arrayContaining(['model_added', 'model_removed']));
    });
  });
});
