import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type FleetState, fleetState } from '#lib/contract/fleet.ts';
import { buildScript, buildStoreWorker } from './store/build-worker-for-tests.ts';
import { TEST_MODEL, type WardenClient, wardenClient } from './warden-for-tests.ts';

/** Ends as `server/index.ts` does when it is told to. */
const WARDEN = `
  import pino from 'pino';
  import { NO_ACCESS_SETTINGS } from '../access/access-settings.ts';
  import { startWarden } from '../start.ts';
  const [dataDir = '', shared = '', worker = '', migrationsDir = ''] = process.argv.slice(2);
  const source = { kind: 'file', path: dataDir + '/warden.yaml' } as const;
  const settings = { host: '127.0.0.1', port: 0, dataDir, drainSeconds: 30, source, shared, advertiseUrl: null,
    memberUrl: null, alertWebhook: null,
    access: { ...NO_ACCESS_SETTINGS, adminPassword: process.env.WARDEN_ADMIN_PASSWORD ?? null } };
  const pages = { handle: async () => {}, ownsUpgrade: () => false, close: async () => {} };
  const warden = await startWarden({ settings, env: process.env, version: '0', storeWorkerUrl: new URL(worker),
    fleetWorkerUrl: new URL('file:///not-used'), migrationsDir, createPages: async () => pages,
    log: pino({ level: process.env.WARDEN_TEST_LOG ?? 'silent' }, pino.destination(2)) });
  process.on('SIGTERM', () => void warden.close(30).then(() => process.exit(0)));
  console.log(warden.url);`;

/** A warden in a process of its own, so that it can die, stand still, or have another clock, as one does. */
export type WardenProcess = WardenClient & {
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** `SIGTERM`, and its end: the exit code. */
  end(): Promise<number | null>;
  kill(): Promise<void>;
  fleet(): Promise<FleetState>;
};

export type WardenProcessOptions = {
  readonly shared: string;
  readonly engines: readonly { readonly url: string }[];
  /** Merged into the model's entry of the configuration. */
  readonly model?: Readonly<Record<string, unknown>>;
  /** That of a warden that ended: the new one takes its place. */
  readonly dataDir?: string;
  /** By how much its clock is ahead. */
  readonly clockAheadMs?: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts the real server, without its pages. The caller ends it, and removes its data folder. */
export async function startWardenProcess(options: WardenProcessOptions): Promise<WardenProcess> {
  const { shared, engines, model, clockAheadMs = 0, env } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'warden-process-'));
  const replicas = engines.map(({ url }) => ({ url }));
  const config = { models: [{ name: TEST_MODEL, max_num_seqs: 32, replicas, ...model }] };
  writeFileSync(join(dataDir, 'warden.yaml'), stringify(config));
  const script = fileURLToPath(await buildScript(WARDEN, 'warden-process'));
  const migrations = fileURLToPath(new URL('../drizzle/migrations', import.meta.url));
  const clock = clockAheadMs === 0 ? [] : ['--import', anotherClock(clockAheadMs)];
  const child = spawn(
    process.execPath,
    [...clock, script, dataDir, shared, (await buildStoreWorker()).href, migrations],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString()));
    child.once('exit', (code) => reject(new Error(`the warden's process ended with ${code}`)));
  });
  const url = line.trim();
  const ended = once(child, 'exit');
  return {
    ...wardenClient(() => url),
    url,
    dataDir,
    process: child,
    async end() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    fleet: async () => fleetState.parse(await (await fetch(`${url}/api/fleet`)).json()),
  };
}

/** A module that is loaded first, in the process and in its worker threads: every time of day is another one from then on. */
function anotherClock(aheadMs: number): string {
  const text = `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...of) { of.length === 0 ? super(Real.now() + ${aheadMs}) : super(...of); }
      static now() { return Real.now() + ${aheadMs}; }
    };
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + ${aheadMs} });`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

export type Turn = { readonly replica: string | null; readonly decision: string | null; readonly status: number };

/** One turn of a conversation; rejects where the warden cannot be reached, or dies meanwhile. */
export async function turn({ url }: { readonly url: string }, session: string, tokens = 2): Promise<Turn> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-claude-code-session-id': session },
    body: JSON.stringify({
      model: TEST_MODEL,
      max_tokens: tokens,
      ignore_eos: true,
      messages: [{ role: 'user', content: session }],
    }),
  });
  await answer.text();
  const { headers, status } = answer;
  return { replica: headers.get('x-warden-replica'), decision: headers.get('x-warden-decision'), status };
}

/** An answer that goes on until it is left. Resolves when its first bytes are there. */
export async function openStream({ url }: { readonly url: string }): Promise<{ leave(): void }> {
  const leaving = new AbortController();
  const { body } = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-claude-code-session-id': randomUUID() },
    body: JSON.stringify({ model: TEST_MODEL, prompt: 'go', max_tokens: 100_000, ignore_eos: true, stream: true }),
    signal: leaving.signal,
  });
  const reader = body?.getReader();
  await reader?.read();
  // Read on, so that nothing waits for this client; its end is the test's, or that of the warden.
  void (async () => {
    while ((await reader?.read())?.done === false);
  })().catch(() => {});
  return { leave: () => leaving.abort() };
}
