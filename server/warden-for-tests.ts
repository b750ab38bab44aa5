import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino, { type Logger } from 'pino';
import { stringify } from 'yaml';
import { requestList } from '#lib/contract/activity.ts';
import { routingState as routingContract } from '#lib/contract/models.ts';
import { type AccessSettings, NO_ACCESS_SETTINGS } from './access/access-settings.ts';
import type { AlertSenses } from './alerts/alert-watch.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startWarden, type Warden } from './start.ts';
import { buildScript, buildStoreWorker } from './store/build-worker-for-tests.ts';

/** What tests ask of a warden, wherever it runs. */
export type WardenClient = {
  readonly url: string;
  post(path: string, body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  routing(model?: string): Promise<ReturnType<typeof routingContract.parse>>;
  patchRouting(body: unknown, model?: string): Promise<Response>;
  requests(): Promise<ReturnType<typeof requestList.parse>['requests']>;
};

/** The real server on a free port, without its pages, with its own data folder and the given engines behind it. */
export type TestWarden = WardenClient & {
  readonly dataDir: string;
  /** Ends it in good order and starts another on the same data folder. */
  restart(drainSeconds?: number, between?: () => unknown): Promise<void>;
  close(): Promise<void>;
};

export type TestWardenOptions = {
  /** Simulated fleets, or real engines. */
  readonly fleets: readonly Pick<SimulatedFleet, 'url'>[];
  /** Merged into the model's entry of the configuration. */
  readonly model?: Readonly<Record<string, unknown>>;
  /** Merged into the configuration itself. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Further entries of the configuration. */
  readonly otherModels?: readonly object[];
  readonly alertWebhook?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly access?: Partial<AccessSettings>;
  readonly host?: string;
  readonly log?: Logger;
  readonly alertSenses?: AlertSenses;
  /** Without a configuration: the embedded simulated fleet, in a thread of its own, instead of `fleets`. */
  readonly simulated?: boolean;
  /** URL of the memory shared with other wardens. */
  readonly shared?: string;
  readonly advertiseUrl?: string;
  readonly memberUrl?: string;
};

export const TEST_MODEL = 'qwen3-4b-dp4';

/** Starts a warden configured by a file, as an operator would. One fleet: one URL; several: one replica each. */
export async function startTestWarden(options: TestWardenOptions): Promise<TestWarden> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-'));
  const path = join(dataDir, 'warden.yaml');
  writeFileSync(path, stringify(configuration(options)));
  const workerUrl = await buildStoreWorker();
  const fleetWorkerUrl = await (options.simulated === true
    ? buildScript("import '../simulated-fleet/fleet-worker.ts';", 'fleet-worker')
    : new URL('file:///not-used'));
  const start = (): Promise<Warden> =>
    startWarden({
      settings: {
        host: options.host ?? '127.0.0.1',
        port: 0,
        dataDir,
        drainSeconds: 0,
        source: options.simulated === true ? { kind: 'demo' } : { kind: 'file', path },
        shared: options.shared ?? null,
        advertiseUrl: options.advertiseUrl ?? null,
        memberUrl: options.memberUrl ?? null,
        alertWebhook: options.alertWebhook ?? null,
        access: { ...NO_ACCESS_SETTINGS, ...options.access },
      },
      env: options.env ?? {},
      version: '0.0.0-test',
      storeWorkerUrl: workerUrl,
      fleetWorkerUrl,
      migrationsDir: fileURLToPath(new URL('../drizzle/migrations', import.meta.url)),
      createPages: async () => ({
        handle: async (_req, res) => void res.writeHead(404).end('no pages in this test'),
        ownsUpgrade: () => false,
        close: async () => {},
      }),
      alertSenses: options.alertSenses,
      log: options.log ?? pino({ level: process.env.WARDEN_TEST_LOG ?? 'silent' }),
    });
  let warden = await start();
  return {
    ...wardenClient(() => warden.url),
    get url() {
      return warden.url;
    },
    dataDir,
    async restart(drainSeconds = 0, between) {
      await warden.close(drainSeconds);
      await between?.();
      warden = await start();
    },
    async close() {
      await warden.close(0);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Asks the warden that is at `url` at the time. */
export function wardenClient(url: () => string): WardenClient {
  const api = (model: string): string => `${url()}/api/models/${encodeURIComponent(model)}/routing`;
  const json = { 'content-type': 'application/json' };
  return {
    get url() {
      return url();
    },
    post: (target, body, headers = {}, signal) =>
      fetch(url() + target, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal: signal ?? null,
      }),
    routing: async (model = TEST_MODEL) => routingContract.parse(await (await fetch(api(model))).json()),
    patchRouting: (body, model = TEST_MODEL) =>
      fetch(api(model), { method: 'PATCH', headers: json, body: JSON.stringify(body) }),
    requests: async () => requestList.parse(await (await fetch(`${url()}/api/requests`)).json()).requests,
  };
}

function configuration({ fleets, model, config, otherModels = [] }: TestWardenOptions): object {
  return {
    ...config,
    models: [
      { name: TEST_MODEL, max_num_seqs: 32, replicas: fleets.map(({ url }) => ({ url })), ...model },
      ...otherModels,
    ],
  };
}

/** On a machine that does little else, a look with its pause takes a fraction of it. */
const MOST_MS_OF_A_LOOK = 100;
const TIMES_ON_A_BUSY_MACHINE = 4;

/**
 * Asks again until it holds; for what becomes true in a moment. Fails with the last reason after `timeoutMs`, of which a
 * single look uses up a small part at most: where the machine is so busy that each takes long, what is waited for does
 * too, and is looked at as often as elsewhere.
 */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 5_000): Promise<T> {
  const startedAt = performance.now();
  let usedMs = 0;
  for (;;) {
    const before = performance.now();
    try {
      return await check();
    } catch (error) {
      if (usedMs > timeoutMs || before - startedAt > TIMES_ON_A_BUSY_MACHINE * timeoutMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
      usedMs += Math.min(performance.now() - before, MOST_MS_OF_A_LOOK);
    }
  }
}
