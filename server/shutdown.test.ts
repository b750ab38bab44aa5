import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { NO_ACCESS_SETTINGS } from './access/access-settings.ts';
import { rawClient, rawRequest } from './raw-client-for-tests.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { startWarden } from './start.ts';
import { buildStoreWorker } from './store/build-worker-for-tests.ts';
import { TEST_MODEL } from './warden-for-tests.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function attached() {
  const fleet = await startSimulatedFleet({ speed: 10 });
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-'));
  closing.push(
    () => fleet.close(),
    () => rmSync(dataDir, { recursive: true, force: true }),
  );
  return startWarden({
    settings: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      drainSeconds: 0,
      shared: null,
      advertiseUrl: null,
      memberUrl: null,
      alertWebhook: null,
      access: NO_ACCESS_SETTINGS,
      source: { kind: 'upstream', urls: [fleet.url] },
    },
    env: {},
    version: '0.0.0-test',
    storeWorkerUrl: await buildStoreWorker(),
    fleetWorkerUrl: new URL('file:///not-used'),
    migrationsDir: fileURLToPath(new URL('../drizzle/migrations', import.meta.url)),
    createPages: async () => ({
      handle: async (_req, res) => void res.end(),
      ownsUpgrade: () => false,
      close: async () => {},
    }),
    log: pino({ level: 'silent' }),
  });
}

const body = (maxTokens: number): string =>
  JSON.stringify({
    model: TEST_MODEL,
    stream: true,
    max_tokens: maxTokens,
    ignore_eos: true,
    messages: [{ role: 'user', content: 'go' }],
  });
/** Long enough for the request behind it to arrive meanwhile, on a slow machine too. */
const STREAM = rawRequest('/v1/chat/completions', body(800));

describe('closing with time to drain', () => {
  it('lets a stream end whole, refuses a request behind it in its API’s shape, and takes no other', async () => {
    const warden = await attached();
    const client = await rawClient(warden.url);
    client.write(STREAM);
    await client.until('data: {');
    const closed = warden.close(600);
    client.write(rawRequest('/v1/messages', body(60)));
    await expect(fetch(`${warden.url}/healthz`)).rejects.toThrow();
    const answer = await client.closed();
    expect(answer).toContain('data: [DONE]');
    expect(answer.slice(answer.indexOf('[DONE]'))).toMatch(/HTTP\/1\.1 503 [\s\S]*"type":"overloaded_error"/);
    await closed;
  });

  it('cuts what takes longer than the time given', async () => {
    const warden = await attached();
    const client = await rawClient(warden.url);
    client.write(rawRequest('/v1/chat/completions', body(100_000)));
    await client.until('data: {');
    await warden.close(0.1);
    expect(await client.closed()).not.toContain('[DONE]');
  });
});
