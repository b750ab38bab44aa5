import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PRESETS } from '#lib/simulation/profile.ts';
import { createRandom } from '#lib/simulation/random.ts';
import { type EngineProcess, reportReplicas, startEngineProcess } from './engine-process.ts';
import type { EngineSettings, SimulatedFleet, SimulatedFleetOptions } from './fleet-options.ts';
import { sendJson } from './reply.ts';
import { answer } from './routes.ts';

/** uvicorn's default. */
const KEEP_ALIVE_MS = 5000;

/** Starts one simulated vLLM server: an HTTP port in front of `replicas` data-parallel ranks. */
export async function startSimulatedFleet(options: SimulatedFleetOptions = {}): Promise<SimulatedFleet> {
  const settings = resolveSettings(options);
  const host = options.host ?? '127.0.0.1';
  let listener = await listen(settings, host, options.port ?? 0);
  const { port } = listener;
  return {
    url: `http://${host}:${port}`,
    servedModelName: settings.servedModelName,
    gauges: () => reportReplicas(listener.engine),
    restart: async () => {
      await listener.stop();
      listener = await listen(settings, host, port);
    },
    close: () => listener.stop(),
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
  };
}

async function listen(settings: EngineSettings, host: string, port: number): Promise<Listener> {
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
    answer({ engine, request, response, apiServer }).catch((error: unknown) => fail(response, error));
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
      // Before `close`, which would end idle connections politely. A reset of a socket that is already being ended fails
      // in libuv, and Node 20 then never closes the handle: a worker thread would spin for ever instead of ending.
      for (const socket of sockets.keys()) {
        if (socket.writableEnded) socket.destroy();
        else socket.resetAndDestroy();
      }
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

function boundPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the simulated fleet has no TCP port');
  return address.port;
}
