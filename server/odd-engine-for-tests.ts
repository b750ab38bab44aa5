import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { TEST_MODEL } from './warden-for-tests.ts';

type OnInference = (req: IncomingMessage, res: ServerResponse, body: Buffer) => void;

export type OddEngine = {
  readonly engine: SimulatedFleet;
  /** Heads and bodies of the POSTs that came, in their order. */
  readonly seen: IncomingHttpHeaders[];
  readonly bodies: Buffer[];
  /** Paths of all other requests than polls. */
  readonly paths: string[];
  onInference: OnInference;
  /** What `/metrics` answers. */
  metrics: string;
  /** From now on no connection can be made, while those that are there, such as that of the polls, stay in use. */
  takesNoConnection(): void;
};

const RANKS = [0, 1].map((rank) => `vllm:num_requests_running{engine="${rank}",model_name="m"} 0\n`);

/** An engine of our own making, for what the simulated one never does. Its polls are answered, and well. */
export async function startOddEngine(onInference: OnInference, ranks: 1 | 2 = 2): Promise<OddEngine> {
  const metrics = RANKS.slice(0, ranks).join('');
  const odd = {
    onInference,
    metrics,
    seen: [] as IncomingHttpHeaders[],
    bodies: [] as Buffer[],
    paths: [] as string[],
  };
  const polls: Readonly<Record<string, string>> = {
    '/v1/models': JSON.stringify({ data: [{ id: TEST_MODEL }] }),
    '/version': JSON.stringify({ version: '0.28.0' }),
    '/health': '',
    '/server_info?config_format=json': '{}',
  };
  const server = createServer((req, res) => {
    const { url = '' } = req;
    const poll = req.method !== 'GET' ? undefined : url === '/metrics' ? odd.metrics : polls[url];
    if (poll !== undefined) {
      res.end(poll);
      return;
    }
    odd.paths.push(url);
    if (req.method !== 'POST') {
      res.end();
      return;
    }
    odd.seen.push(req.headers);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      odd.bodies.push(body);
      odd.onInference(req, res, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const engine: SimulatedFleet = {
    url: `http://127.0.0.1:${port}`,
    servedModelName: TEST_MODEL,
    gauges: () => [],
    restart: async () => {},
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const takesNoConnection = (): void => void TcpServer.prototype.close.call(server);
  return Object.assign(odd, { engine, takesNoConnection });
}
