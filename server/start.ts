import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { ownChangeEntry } from '#lib/access/own-change.ts';
import { configurationChange } from '#lib/config/configuration-change.ts';
import { createEndpointTable, type EndpointTable } from '#lib/engine/endpoints.ts';
import { type Access, openAccess } from './access/access.ts';
import type { AlertSenses } from './alerts/alert-watch.ts';
import { createApi } from './api/create-api.ts';
import { createOwnFigures } from './api/own-figures.ts';
import { createBenchmarks } from './benchmark/benchmarks.ts';
import { recoverBenchmarks } from './benchmark/recover.ts';
import { createDemo } from './demo/demo-sessions.ts';
import { createDiscoveredModels } from './discovery/discovered-models.ts';
import { createPoller } from './engines/poller.ts';
import { createVllmAdapter } from './engines/vllm.ts';
import { createFleetFigures } from './figures/fleet-figures.ts';
import { type Fleet, joinFleet } from './fleet/fleet.ts';
import { readSharedUrl } from './fleet/shared-url.ts';
import { createDispatcher } from './http/dispatch.ts';
import { createGate } from './http/gate.ts';
import { createHttpServer } from './http/http-server.ts';
import { refuseUpgrades } from './http/upgrades.ts';
import { type ConfigurationSource, fileSource, upstreamSource } from './model-source.ts';
import { type ManagedModels, openManagedModels } from './models/managed-models.ts';
import type { AllowedHosts } from './network/guarded-connect.ts';
import { createObservers } from './observers.ts';
import { openApiDocument } from './openapi/openapi.ts';
import type { Pages } from './pages.ts';
import { createConversations } from './proxy/conversations.ts';
import { createProxy } from './proxy/handler.ts';
import { createUpstreams } from './proxy/upstream.ts';
import { auditRestore, restoreAtStart, stagedWarnings } from './restore-at-start.ts';
import type { PollerFactory } from './router/engine-watch.ts';
import { ModelRuntime } from './router/model-runtime.ts';
import { createRegistry } from './router/registry.ts';
import { createRunningSettings } from './running-settings.ts';
import { type ProcessSettings, StartError } from './settings.ts';
import { createSimulatedSource, DEMO_MODEL, type SimulatedSource } from './simulated-source.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { startTracing } from './tracing/tracing.ts';

export type StartOptions = {
  readonly settings: ProcessSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Bundles of the two worker threads, and the database's migrations. */
  readonly storeWorkerUrl: URL;
  readonly fleetWorkerUrl: URL;
  readonly migrationsDir: string;
  /** Made once the server exists; null serves no pages (tests of the router alone). */
  readonly createPages: (server: Server) => Promise<Pages>;
  readonly log: Logger;
  /** For tests: what takes minutes, or a full disk, otherwise. */
  readonly alertSenses?: AlertSenses | undefined;
};

export type Warden = {
  /** Where it listens, `http://host:port`. */
  readonly url: string;
  /**
   * Takes no more requests, lets those in flight end for at most `drainSeconds`, saves what is remembered and closes
   * everything.
   */
  close(drainSeconds: number): Promise<void>;
};

const ORIGINS = { file: 'file', upstream: 'environment', demo: 'simulated' } as const;
/** Unlike the wall clock it never jumps when somebody sets that. In whole ms, as waits are told and stored. */
const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());
const MEGABYTE = 1024 * 1024;
/** A start waits this long for the shared memory; longer than connecting takes. Then it serves without. */
const MEMORY_WITHIN_MS = 3000;

/** Puts the parts together and listens. Throws a StartError for what a person has to mend. */
export async function startWarden(options: StartOptions): Promise<Warden> {
  const { settings, log } = options;
  const now = Date.now;
  const startedAt = now();
  restoreAtStart(settings.dataDir, options.migrationsDir, log);
  const store = await openStore({
    dataDir: settings.dataDir,
    workerUrl: options.storeWorkerUrl,
    migrationsDir: options.migrationsDir,
    log,
  });
  let url = '';
  const wardens = joinWardens(options, () => url, startedAt);
  const access = await accessOrStop(options, store, wardens);
  await auditRestore(settings.dataDir, access, now);
  await recoverBenchmarks(store, now, log);
  const maxHoldMs = (): number => source.current().limits.max_hold_seconds * 1000;
  const allowedHosts = (): readonly string[] => source.current().allowedUpstreamHosts;
  const runtimeOptions = {
    store,
    log,
    now,
    steadyNow,
    maxHoldMs,
    createPoller: pollerFactory(allowedHosts),
    fleet: wardens,
  };
  const registry = createRegistry(
    await store.settings(),
    (config, setting) => new ModelRuntime({ ...runtimeOptions, config, setting }),
  );
  const apply = (): void => {
    managed.apply().catch((error: unknown) => log.error({ err: error }, 'models not applied'));
  };
  const discovered = createDiscoveredModels(options.env, log, apply);
  const simulated = settings.source.kind === 'demo' ? createSimulatedSource(options.fleetWorkerUrl) : null;
  const source = simulated ?? (await configurationSource(options, access, apply));
  const managed = await openManagedModels({
    store,
    registry,
    configured: () => discovered.resolve(source.current().models),
    configuredOrigin: ORIGINS[settings.source.kind],
    allowedHosts,
    now,
    log,
  });
  if (!managed.isRemoved(DEMO_MODEL)) await simulated?.start();
  await managed.apply();

  const upstreams = createUpstreams(source.current().limits, allowedHosts);
  const { server, drain } = createHttpServer();
  const pages = await options.createPages(server);
  let draining = false;
  const baseUrl = (): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:\d+$)/, '//127.0.0.1');
  const apiKey = access.keys.internalSecret;
  const demo = simulated === null ? null : createDemo({ baseUrl, apiKey, model: DEMO_MODEL, log });
  const benchmarks = createBenchmarks({ store, baseUrl, apiKey, demo, now, log });
  const endpoints = endpointsOf(source);
  const tracing = await startTracing(options.env, options.version, log);
  const observers = createObservers({
    version: options.version,
    startedAt,
    models: registry.models,
    store,
    wardens,
    dataDir: settings.dataDir,
    alertWebhook: settings.alertWebhook,
    alertSenses: options.alertSenses,
    now,
    log,
  });
  const own = createOwnFigures({ store, registry, alerts: observers.alerts, wardens, now, steadyNow });
  const figures = wardens === null ? null : createFleetFigures({ wardens, access, own, allowedHosts, steadyNow, log });
  const proxy = createProxy({
    registry,
    upstreams,
    endpoints,
    sessionHeaders: () => source.current().sessionHeaders,
    conversations: createConversations(),
    engineAwayMs: () => source.current().limits.engine_away_seconds * 1000,
    maxBodyBytes: () => source.current().limits.max_body_mb * MEGABYTE,
    onFinished: observers.onFinished,
    onRefused: observers.onRefused,
    beginTrace: tracing?.begin,
    startedAt,
    now,
    log,
  });
  const api = createApi(
    {
      version: options.version,
      startedAt,
      registry,
      managed,
      restoreSimulated: simulated === null ? null : () => restoreSimulated(simulated, managed),
      store,
      settings: createRunningSettings(settings, options.env, source),
      get demo() {
        return managed.originOf(DEMO_MODEL) === 'simulated' && registry.named(DEMO_MODEL) !== null ? demo : null;
      },
      benchmarks,
      alerts: observers.alerts,
      openApi: () => openApiDocument(options.version),
      wardens,
      figures,
      warnings: () => [
        ...source.warnings(),
        ...stagedWarnings(settings.dataDir),
        ...managed.warnings(),
        ...discovered.warnings(),
        ...sharedMemoryWarnings(wardens),
        ...unsharedAccessWarnings(wardens, access),
      ],
      access,
      now,
    },
    log,
  );
  const isReady = (): boolean => registry.models().some((model) => model.processes.some((process) => process.up));
  const targets = {
    proxy,
    api: api.handle,
    metrics: observers.sendMetrics,
    pages: pages.handle,
    onRefused: observers.onRefused,
    isReady,
    isDraining: () => draining,
  };
  const isExtraPath = (path: string): boolean => source.current().extraPaths.includes(path);
  const gate = createGate(access, observers.onRefused);
  server.on('request', createDispatcher(targets, { api: api.who, isExtraPath }, gate));
  refuseUpgrades(server, pages.ownsUpgrade);
  // A conversation that lives somewhere must not be placed anew because this warden could not yet ask where.
  await wardens?.whenUp(MEMORY_WITHIN_MS);
  url = await listen(server, settings);

  if (access.mode() === 'first_run') sayFirstRun(baseUrl(), access.firstRun.token);

  return {
    url,
    async close(drainSeconds) {
      draining = true;
      for (const model of registry.models()) model.admission.close();
      source.close();
      discovered.close();
      await demo?.close();
      await benchmarks.close();
      await drain(drainSeconds);
      await observers.close();
      await tracing?.close();
      await pages.close();
      await registry.close();
      await figures?.close();
      await wardens?.close();
      await upstreams.close();
      await simulated?.stop();
      await store.close();
    },
  };
}

/** Joins the wardens that share the memory at `WARDEN_SHARED`; null where this is the only one. */
function joinWardens({ settings, version, log }: StartOptions, url: () => string, startedAt: number): Fleet | null {
  const { shared = null, advertiseUrl = null, memberUrl = null } = settings;
  if (shared === null) return null;
  return joinFleet({
    address: readSharedUrl(shared),
    id: randomUUID().slice(0, 8),
    about: () => ({
      url: advertiseUrl ?? url(),
      api_url: memberUrl ?? advertiseUrl ?? url(),
      version,
      started_at: new Date(startedAt).toISOString(),
    }),
    now: steadyNow,
    log,
  });
}

type Warning = { readonly code: string; readonly message: string };

function sharedMemoryWarnings(wardens: Fleet | null): readonly Warning[] {
  if (wardens === null || wardens.isUp) return [];
  const message = `The memory that the wardens share is away (${wardens.awayBecause}): each goes on with what it knows, and new conversations are placed by their hash.`;
  return [{ code: 'shared_memory_away', message }];
}

/** Keys or people that hold at one warden alone are a surprise, where several answer under one name. */
function unsharedAccessWarnings(wardens: Fleet | null, access: Access): readonly Warning[] {
  if (wardens === null || access.isShared) return [];
  if (access.people.all().length === 0 && !access.keys.isAny()) return [];
  const message =
    'Keys and people are known to this warden alone, though it shares a memory with others: set WARDEN_SHARED_SECRET to the same secret at all of them.';
  return [{ code: 'access_not_shared', message }];
}

/** Closes what was opened where nobody could be let in. */
async function accessOrStop({ settings, log }: StartOptions, store: Store, wardens: Fleet | null): Promise<Access> {
  const access = await openAccess({
    settings: settings.access,
    host: settings.host,
    ownUrls: [settings.advertiseUrl, settings.memberUrl].filter((url) => url !== null),
    dataDir: settings.dataDir,
    store,
    wardens,
    now: Date.now,
    log,
  });
  if (!('kind' in access)) return access;
  await wardens?.close();
  await store.close();
  throw new StartError(access.message);
}

/** The token stands behind the #, which no browser sends and no log holds. */
function sayFirstRun(url: string, token: string): void {
  console.log(
    `\n  Make the first admin within an hour (the host may be another):\n  ${url}/login#first-run=${token}\n`,
  );
}

/** The fleet runs again before its model is served again. */
async function restoreSimulated(simulated: SimulatedSource, managed: ManagedModels): Promise<void> {
  await simulated.start();
  await managed.restoreRemoved();
}

/** The table is made anew only when the configuration is another one. */
function endpointsOf(source: ConfigurationSource): () => EndpointTable {
  let paths = source.current().extraPaths;
  let table = createEndpointTable(paths);
  return () => {
    const { extraPaths } = source.current();
    if (extraPaths !== paths) {
      paths = extraPaths;
      table = createEndpointTable(paths);
    }
    return table;
  };
}

const pollerFactory =
  (allowedHosts: AllowedHosts): PollerFactory =>
  (url, apiKey, { onPoll, onFailure }) => {
    const adapter = createVllmAdapter({ url, apiKey, allowedHosts });
    const poller = createPoller({ adapter, onReading: onPoll, onFailure });
    return {
      pollNow: () => poller.pollNow(),
      async stop() {
        await poller.stop();
        await adapter.close();
      },
    };
  };

function configurationSource(
  { settings, env, log }: StartOptions,
  access: Access,
  onChange: () => void,
): ConfigurationSource | Promise<ConfigurationSource> {
  if (settings.source.kind === 'file') {
    const { path } = settings.source;
    return fileSource(path, env, log, (before, after) => {
      onChange();
      const change = configurationChange(before, after);
      if (change === null) return;
      const who = { actor: 'configuration file', action: 'configuration.reload', subject: path };
      void access.audit(ownChangeEntry({ ...who, ...change }, Date.now()));
    });
  }
  return upstreamSource(settings.source.kind === 'upstream' ? settings.source.urls : [], log, onChange);
}

function listen(server: Server, { host, port }: ProcessSettings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is in use by another process' : error.message;
      reject(new StartError(`cannot listen on ${host}:${port}: ${reason} (set WARDEN_HOST and WARDEN_PORT)`));
    });
    server.listen(port, host, () => {
      const { port: actual } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`);
    });
  });
}
