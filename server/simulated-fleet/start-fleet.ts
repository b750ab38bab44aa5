import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PRESETS } from '#lib/simulation/profile.ts';
import { createRandom } from '#lib/simulation/random.ts';
import { boundPort } from './bound-port.ts';
import { openControlPort } from './control-port.ts';
import { type EngineProcess, reportReplicas, startEngineProcess } from './engine-process.ts';
import { ArmedFault } from './faults.ts';
import type { EngineSettings, SimulatedFleetOptions, StartedFleet } from './fleet-options.ts';
import { sendJson } from './reply.ts';
import { resetConnection } from './reset-connection.ts';
import { answer } from './routes.ts';

/** uvicorn's default. */
const KEEP_ALIVE_MS = 5000;

/** Starts one simulated vLLM server: an HTTP port in front of `replicas` data-parallel ranks. */
export async function startSimulatedFleet(options: SimulatedFleetOptions = {}): Promise<StartedFleet> {
  const settings = resolveSettings(options);
  const host = options.host ?? '127.0.0.1';
  const faults = new ArmedFault();
  let listener = await listen(settings, faults, host, options.port ?? 0);
  const { port } = listener;
  const restart = async () => {
    await listener.stop();
    listener = await listen(settings, faults, host, port);
  };
  const control =
    options.control === true ? await openControlPort({ faults, restart, die: () => listener.stop() }) : null;
  return {
    url: `http://${host}:${port}`,
    servedModelName: settings.servedModelName,
    gauges: () => reportReplicas(listener.engine),
    controlUrl: control?.url ?? null,
    restart,
    close: async () => {
      await control?.close();
      await listener.stop();
    },
  };
}

type Listener = { readonly engine: EngineProcess; readonly port: number; stop(): Promise<void> };

function resolveSettings(options: SimulatedFleetOptions): EngineSettings {
  const preset = options.preset ?? 'demo';
  return {
    replicas: options.replicas ?? 4,
    servedModelName: options.servedModelName ?? 'qwen3-4b-dp4',
    profile: typeof preset === 'string' ? PRESETS[preset] : preset,
    speed: options.speed ?? 1,
    version: options.version ?? '0.28.0-simulated',
    promptTokensDetails: options.promptTokensDetails ?? true,
    balancer: options.balancer ?? 'load-aware',
    apiKey: options.apiKey ?? null,
    seed: options.seed ?? 1,
    devMode: options.devMode ?? false,
  };
}

async function listen(settings: EngineSettings, faults: ArmedFault, host: string, port: number): Promise<Listener> {
  const engine = startEngineProcess(settings);
  const random = createRandom(settings.seed);
  // Each connection belongs to one of the API-server processes for its whole life.
  const sockets = new Map<Socket, number>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 });
  server.on('connection', (socket) => {
    socket.setNoDelay(true);
    sockets.set(socket, Math.floor(random() * settings.replicas));
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // uvicorn says nothing about how long it keeps a connection.
    response.removeHeader('connection');
    const apiServer = sockets.get(request.socket) ?? 0;
    answer({ engine, request, response, apiServer }, faults).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    engine,
    port: boundPort(server),
    stop: async () => {
      engine.clock.stop();
      // Before `close`, which would end idle connections politely.
      for (const socket of sockets.keys()) resetConnection(socket);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A client that left while its body was read needs no answer; anything else is a fault of the simulation. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  sendJson(response, 500, { error: { message, type: 'InternalServerError', param: null, code: 500 } });
}
