import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Started, start, waitFor } from './processes.ts';
import { BENCH_MODEL } from './workload.ts';

/** Something between the load and the engine, or nothing. */
export type Target = {
  readonly name: string;
  readonly url: string;
  /** Null: direct, there is no process between. */
  readonly pid: number | null;
  /** The path of the workload that it speaks. */
  readonly path: string;
  output(): string;
  stop(): Promise<void>;
};

export const MESSAGES_PATH = '/v1/messages?beta=true';
const CHAT_PATH = '/v1/chat/completions';

export async function startEngine(port = 0): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const engine = start([process.execPath, builtFile('engine.mjs'), String(port)], { core: 'bench' });
  const url = await waitFor('starting the engine', () => /http:\S+/.exec(engine.output())?.[0] ?? null);
  return { url, stop: engine.stop };
}

export function direct(engineUrl: string): Target {
  return { name: 'direct', url: engineUrl, pid: null, path: MESSAGES_PATH, output: () => '', stop: async () => {} };
}

export type WardenOptions = {
  readonly name?: string;
  /** Another build, to compare with. */
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
};

/** `npm start` of the built product, attached to the engine as a user would. */
export async function startWarden(
  engineUrl: string,
  { name = 'warden', file = 'dist/server.mjs', env = {}, nodeFlags = [] }: WardenOptions = {},
): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'warden-bench-'));
  const process_ = start([process.execPath, ...flagsFromEnv(), ...nodeFlags, file], {
    core: 'target',
    cwd: projectFolder(),
    env: { NODE_ENV: 'production', WARDEN_UPSTREAM: engineUrl, WARDEN_PORT: '0', WARDEN_DATA_DIR: folder, ...env },
  });
  const url = await waitFor('starting warden', () => /router on (http:\S+)/.exec(process_.output())?.[1] ?? null);
  await waitFor('warden finding the engine', async () => ((await fetch(`${url}/readyz`)).ok ? true : null));
  return {
    ...targetOf(name, url, process_),
    async stop() {
      await process_.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Plain reverse proxy: one worker, connections to the engine kept, bodies held in memory, answers not buffered. */
export function startNginx(engineUrl: string): Promise<Target | null> {
  return startConfigured('nginx', engineUrl, ({ engine, port, folder }) => ({
    command: ['nginx', '-c', join(folder, 'nginx.conf'), '-p', folder],
    file: 'nginx.conf',
    text: `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr warn;
events { worker_connections 4096; }
http {
  access_log off; client_max_body_size 64m; client_body_buffer_size 4m; keepalive_requests 1000000; tcp_nodelay on;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream engine { server ${engine}; keepalive 1024; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://engine; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}
`,
  }));
}

export function startHaproxy(engineUrl: string): Promise<Target | null> {
  return startConfigured('haproxy', engineUrl, ({ engine, port, folder }) => ({
    command: ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')],
    file: 'haproxy.cfg',
    text: `global
  maxconn 4096
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  http-reuse always
frontend in
  bind 127.0.0.1:${port}
  default_backend engine
backend engine
  server one ${engine} maxconn 4096
`,
  }));
}

type Configured = { readonly command: readonly string[]; readonly file: string; readonly text: string };
type Place = { readonly engine: string; readonly port: number; readonly folder: string };

async function startConfigured(
  name: string,
  engineUrl: string,
  write: (place: Place) => Configured,
): Promise<Target | null> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-bench-`));
  mkdirSync(join(folder, 'logs'));
  const port = await freePort();
  const { command, file, text } = write({ engine: new URL(engineUrl).host, port, folder });
  writeFileSync(join(folder, file), text);
  const process_ = start(command, { core: 'target' });
  const target = targetOf(name, `http://127.0.0.1:${port}`, process_);
  const stop = async (): Promise<void> => {
    await process_.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answering(target);
    return { ...target, stop };
  } catch (error) {
    console.error(`left out: ${name} (${String(error)}) ${process_.output().slice(-300)}`);
    await stop();
    return null;
  }
}

/** An LLM router from a Python environment's `bin`. Null, and said why, where it does not run. */
export async function startRival(name: string, binFolder: string, engineUrl: string): Promise<Target | null> {
  const port = await freePort();
  const command = rivalCommand({ name, bin: binFolder, engineUrl, port, metricsPort: await freePort() });
  if (command === null) throw new Error(`--rival ${name}: not known`);
  const process_ = start(command, { core: 'target', env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' } });
  const target = targetOf(name, `http://127.0.0.1:${port}`, process_);
  try {
    return await speaking(target);
  } catch (error) {
    console.error(`left out: ${name} (${String(error)}) ${process_.output().slice(-600)}`);
    await process_.stop();
    return null;
  }
}

/** With the path of the messages API where it has that, else with that of chat completions. */
async function speaking(target: Target): Promise<Target> {
  const chat = { ...target, path: CHAT_PATH };
  await answering(chat, 90_000);
  return answering(target, 2_000).then(
    () => target,
    () => chat,
  );
}

type Rival = {
  readonly name: string;
  readonly bin: string;
  readonly engineUrl: string;
  readonly port: number;
  readonly metricsPort: number;
};

function rivalCommand({ name, bin, engineUrl, port, metricsPort }: Rival): readonly string[] | null {
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const router = [...address, '--prometheus-host', '127.0.0.1', '--prometheus-port', String(metricsPort)];
  const quiet = ['--log-level', 'error', '--worker-urls', engineUrl];
  switch (name) {
    case 'vllm-router':
      return [join(bin, 'vllm-router'), ...router, ...quiet, '--policy', 'consistent_hash'];
    case 'smg':
      return [join(bin, 'smg'), 'launch', ...router, ...quiet];
    case 'sglang-router':
      return [join(bin, 'python'), '-m', 'sglang_router.launch_router', ...router, ...quiet];
    case 'litellm': {
      const file = join(mkdtempSync(join(tmpdir(), 'litellm-bench-')), 'config.yaml');
      const params = `{model: hosted_vllm/${BENCH_MODEL}, api_base: "${engineUrl}/v1", api_key: none}`;
      writeFileSync(file, `model_list:\n  - model_name: ${BENCH_MODEL}\n    litellm_params: ${params}\n`);
      return [join(bin, 'litellm'), '--config', file, ...address];
    }
    default:
      return null;
  }
}

const targetOf = (name: string, url: string, { pid, output, stop }: Started): Target => ({
  name,
  url,
  pid,
  path: MESSAGES_PATH,
  output,
  stop,
});

/** Until a small request comes back as it should. */
async function answering({ name, url, path }: Target, timeoutMs = 10_000): Promise<void> {
  const body = JSON.stringify({
    model: BENCH_MODEL,
    messages: [{ role: 'user', content: 'x' }],
    max_tokens: 5,
    stream: true,
  });
  await waitFor(
    `${name} answering`,
    async () => {
      const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
      return text.includes('word ') ? true : null;
    },
    timeoutMs,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Extra flags for Node, such as `--cpu-prof`, from the environment. */
const flagsFromEnv = (): readonly string[] => (process.env.WARDEN_BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean);
/** The benchmark is built into `dist/bench/` and run from the project's folder. */
const builtFile = (name: string): string => join(projectFolder(), 'dist', 'bench', name);
const projectFolder = (): string => process.cwd();

/** The simulated fleet of the product's build, with data-parallel ranks, in a thread of its own. */
export async function startFleet(options: {
  readonly replicas: number;
  readonly speed: number;
}): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const thread = new Worker(join(projectFolder(), 'dist/fleet-worker.mjs'), { workerData: { ...options, port: 0 } });
  const [report] = await once(thread, 'message');
  return { url: String(report.url), stop: async () => void (await thread.terminate()) };
}
