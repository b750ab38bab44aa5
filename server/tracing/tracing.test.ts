import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { parseTraceparent } from './traceparent.ts';
import { wantsTraces } from './tracing.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0).reverse()) await close();
});

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.number().optional(),
    doubleValue: z.number().optional(),
  }),
});
const span = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  attributes: z.array(attribute),
  events: z.array(z.object({ name: z.string() })).optional(),
  status: z.object({ code: z.number().optional() }),
});
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
type Attributes = z.infer<typeof attribute>[];
const values = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue]),
  );

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** A collector that keeps what it is sent. */
async function collector() {
  const spans: z.infer<typeof span>[] = [];
  let resource: Record<string, unknown> = {};
  let text = '';
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    text += body;
    for (const { resource: from, scopeSpans } of exported.parse(JSON.parse(body)).resourceSpans) {
      resource = values(from.attributes);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const url = await listen(server);
  return { url, spans, resource: () => resource, text: () => text };
}

/** A simulated engine behind something that sees which headers it gets. */
async function watchedEngine() {
  const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
  closing.push(() => fleet.close());
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    if (req.method === 'POST') seen.push(req.headers);
    const target = new URL(req.url ?? '/', fleet.url);
    const forwarded = request(target, { method: req.method ?? 'GET', headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(forwarded.on('error', () => res.destroy()));
  });
  return { url: await listen(server), seen };
}

async function wardenOf(url: string, env: Record<string, string>): Promise<TestWarden> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const warden = await startTestWarden({ fleets: [{ url }], env });
  closing.push(() => warden.close());
  return warden;
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT = '00f067aa0ba902b7';
const body = { model: TEST_MODEL, max_tokens: 3, messages: [{ role: 'user', content: 'a secret prompt' }] };

async function ask(warden: TestWarden, headers: Record<string, string>, asked: object = body): Promise<number> {
  const answer = await warden.post('/v1/chat/completions', asked, headers);
  await answer.text();
  return answer.status;
}

describe('traces', () => {
  it('have a span for each request between the client and the engine, with what was decided and no prompt', async () => {
    const { url, spans, resource, text } = await collector();
    const engine = await watchedEngine();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_RESOURCE_ATTRIBUTES: 'site=lab',
    };
    const warden = await wardenOf(engine.url, env);
    const traceparent = `00-${TRACE}-${CLIENT}-01`;
    expect(await ask(warden, { traceparent, 'x-session-id': 'secret-session', tracestate: 'a=b' })).toBe(200);
    const [found] = await eventually(() => {
      expect(spans).toHaveLength(1);
      return spans;
    });
    expect(found).toMatchObject({ name: `chat ${TEST_MODEL}`, traceId: TRACE, parentSpanId: CLIENT });
    expect(engine.seen[0]).toMatchObject({ traceparent: `00-${TRACE}-${found?.spanId}-01`, tracestate: 'a=b' });
    const [row] = await eventually(async () => {
      const rows = await warden.requests();
      expect(rows).toHaveLength(1);
      return rows;
    });
    expect(values(found?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': TEST_MODEL,
      'gen_ai.usage.input_tokens': row?.prompt_tokens,
      'gen_ai.usage.cache_read.input_tokens': 0,
      'http.response.status_code': 200,
      'url.path': '/v1/chat/completions',
      'warden.decision': 'placed',
      'warden.replica': row?.replica,
      'warden.request_id': row?.id,
      'warden.session_source': 'x-session-id',
      'warden.outcome': 'ok',
    });
    expect(found?.events?.map(({ name }) => name)).toEqual(['first byte']);
    expect(resource()).toMatchObject({ 'service.name': 'lm-warden', 'service.version': '0.0.0-test', site: 'lab' });
    expect(text()).not.toMatch(/secret/);
  });

  it('begin with the router where the client has none, and say what was refused', async () => {
    const { url, spans } = await collector();
    const engine = await watchedEngine();
    const warden = await wardenOf(engine.url, { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50' });
    expect(await ask(warden, { traceparent: 'nonsense' }, { ...body, model: 'none' })).toBe(404);
    expect(await ask(warden, {})).toBe(200);
    await eventually(() => expect(spans).toHaveLength(2));
    const [refused, served] = spans;
    expect(refused?.status.code).toBe(2);
    expect(values(refused?.attributes ?? [])).toMatchObject({
      'error.type': 'model_not_found',
      'http.response.status_code': 404,
    });
    expect(served?.parentSpanId ?? '').toBe('');
    expect(engine.seen[0]?.traceparent).toBe(`00-${served?.traceId}-${served?.spanId}-01`);
  });

  it('that the client does not sample are not sent, but passed on', async () => {
    const { url, spans } = await collector();
    const engine = await watchedEngine();
    const warden = await wardenOf(engine.url, { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50' });
    expect(await ask(warden, { traceparent: `00-${TRACE}-${CLIENT}-00` })).toBe(200);
    expect(await ask(warden, {})).toBe(200);
    await eventually(() => expect(spans).toHaveLength(1));
    expect(spans[0]?.traceId).not.toBe(TRACE);
    expect(engine.seen[0]?.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  });

  it('are off without an endpoint: the header of the client goes on as it came', async () => {
    const engine = await watchedEngine();
    const warden = await wardenOf(engine.url, {});
    const traceparent = `00-${TRACE}-${CLIENT}-01`;
    expect(await ask(warden, { traceparent })).toBe(200);
    expect(engine.seen[0]?.traceparent).toBe(traceparent);
  });

  it('do not hold up requests where the collector is away', async () => {
    const engine = await watchedEngine();
    const warden = await wardenOf(engine.url, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(warden, {})).toBe(200);
  });
});

describe('the standard variables', () => {
  it.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
  ])('%j: %s', (env, expected) => {
    expect(wantsTraces(env)).toBe(expected);
  });
});

describe('a traceparent', () => {
  it.each([
    undefined,
    '',
    `00-${'0'.repeat(32)}-${CLIENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${CLIENT}-01`,
    `00-${TRACE}-${CLIENT}`,
    `00-${TRACE.toUpperCase()}-${CLIENT}-01`,
  ])('that is not one is none: %s', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it('of a later version is read as far as it is known', () => {
    expect(parseTraceparent(`01-${TRACE}-${CLIENT}-03-more`)).toMatchObject({ traceId: TRACE, traceFlags: 1 });
  });
});
