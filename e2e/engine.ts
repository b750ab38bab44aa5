import { once } from 'node:events';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';

const fleetWorker = new URL('../dist/fleet-worker.mjs', import.meta.url);

export type Engine = {
  readonly url: string;
  /** As if its process was killed: connections are cut, nobody listens any more. */
  die(): Promise<void>;
  /** On the same port again, with an empty cache. */
  comeBack(): Promise<void>;
};

/** A replica whose cache holds three conversations of 1,500 tokens, and not four. */
export const SMALL_CACHE = {
  maxModelLen: 4096,
  maxNumSeqs: 32,
  maxNumBatchedTokens: 2048,
  blockSize: 16,
  numBlocks: 313,
  timing: {
    baseMs: 25,
    perPrefillTokenMs: 0.18,
    perPrefillContextMs: 1e-5,
    perDecodeContextMs: 3.5e-4,
    jitterSigma: 0.05,
    apiBaseMs: 8,
    apiPerThousandTokensMs: 1,
  },
} as const;

/** What another engine may differ in; absent: as in the demo. */
type EngineOptions = {
  readonly preset?: 'a4000x4' | typeof SMALL_CACHE;
  readonly replicas?: number;
  /** 10 runs ten times faster than the preset says. */
  readonly speed?: number;
  /** vLLM's --enable-prompt-tokens-details. */
  readonly promptTokensDetails?: boolean;
  readonly servedModelName?: string;
  /** vLLM's --api-key. */
  readonly apiKey?: string;
};

/** A simulated vLLM, with four ranks where nothing else is said, from the build, in a thread of its own. */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  let { thread, url } = await launch({ ...options, port: 0 });
  const port = Number(new URL(url).port);
  return {
    url,
    die: async () => void (await thread.terminate()),
    comeBack: async () => {
      ({ thread, url } = await launch({ ...options, port }));
    },
  };
}

async function launch(workerData: EngineOptions & { port: number }): Promise<{ thread: Worker; url: string }> {
  const thread = new Worker(fleetWorker, { workerData, execArgv: [] });
  const [report] = await once(thread, 'message');
  return { thread, url: String(report.url) };
}

/** An address on this machine where nobody listens. */
export function deadAddress(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no TCP port'));
      server.close(() => resolve(`http://127.0.0.1:${address.port}`));
    });
  });
}
