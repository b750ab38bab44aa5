import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type AccessSettings, accessSettings, accessVariables } from './access/access-settings.ts';

/** Where the models come from. `upstream`: names and ranks are asked of the engines. `demo`: the embedded fleet. */
export type ModelSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'upstream'; readonly urls: readonly string[] }
  | { readonly kind: 'demo' };

export type ProcessSettings = {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly drainSeconds: number;
  readonly source: ModelSource;
  /** Alerts are sent there; null where the console alone shows them. */
  readonly alertWebhook: string | null;
  /** URL of the memory that several wardens share; null where this is the only one. */
  readonly shared: string | null;
  /** Where the other wardens' consoles say that this one is; null: where it listens. */
  readonly advertiseUrl: string | null;
  /** Where the other wardens themselves ask this one; null: at `advertiseUrl`. */
  readonly memberUrl: string | null;
  readonly access: AccessSettings;
};

/** Something a person has to mend before the process can start; the message says what and where. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const DEFAULT_CONFIG_FILE = 'warden.yaml';

const environment = z.object({
  WARDEN_HOST: z.string().min(1).default('127.0.0.1'),
  WARDEN_PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535).default(8090),
  WARDEN_DATA_DIR: z.string().min(1).default('./data'),
  WARDEN_DRAIN_SECONDS: z.coerce.number({ error: 'must be a number of seconds' }).min(0).max(3600).default(30),
  WARDEN_CONFIG: z.string().min(1).optional(),
  WARDEN_UPSTREAM: z.string().min(1).optional(),
  WARDEN_SHARED: z.string().min(1).optional(),
  WARDEN_ADVERTISE_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  WARDEN_MEMBER_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  WARDEN_KUBERNETES_ACCOUNT: z.string().min(1).optional(),
  ...accessVariables,
  WARDEN_ALERT_WEBHOOK: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
});

/** A `WARDEN_…` variable as it is in force. `value` null: none, neither set nor by default. */
export type EnvironmentVariable = { readonly name: string; readonly value: unknown; readonly isSet: boolean };

/** Every variable that is read, in the order of the documentation. Values are those of a process that could start. */
export function environmentVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly EnvironmentVariable[] {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const values: Readonly<Record<string, unknown>> = environment.safeParse(set).data ?? {};
  const known = environment.keyof().options.map((name) => ({ name, value: values[name] ?? null, isSet: name in set }));
  const level = { name: 'WARDEN_LOG_LEVEL', value: set.WARDEN_LOG_LEVEL ?? 'info', isSet: 'WARDEN_LOG_LEVEL' in set };
  return [...known, level];
}

/** Reads the `WARDEN_…` variables. An empty one counts as not set. Throws a StartError that lists all that is wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): ProcessSettings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const list = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartError(list.join('\n'));
  }
  const { WARDEN_HOST, WARDEN_PORT, WARDEN_DATA_DIR, WARDEN_DRAIN_SECONDS, WARDEN_CONFIG, WARDEN_UPSTREAM } =
    parsed.data;
  if (WARDEN_CONFIG !== undefined && WARDEN_UPSTREAM !== undefined) {
    throw new StartError('WARDEN_CONFIG and WARDEN_UPSTREAM are both set: the models can come from one of them only');
  }
  return {
    host: WARDEN_HOST,
    port: WARDEN_PORT,
    dataDir: resolve(WARDEN_DATA_DIR),
    drainSeconds: WARDEN_DRAIN_SECONDS,
    access: accessSettings(parsed.data),
    source: modelSource(WARDEN_CONFIG, WARDEN_UPSTREAM),
    shared: parsed.data.WARDEN_SHARED ?? null,
    advertiseUrl: parsed.data.WARDEN_ADVERTISE_URL ?? null,
    memberUrl: parsed.data.WARDEN_MEMBER_URL ?? null,
    alertWebhook: parsed.data.WARDEN_ALERT_WEBHOOK ?? null,
  };
}

function modelSource(config: string | undefined, upstream: string | undefined): ModelSource {
  if (upstream !== undefined) return { kind: 'upstream', urls: upstreamUrls(upstream) };
  if (config !== undefined) return { kind: 'file', path: resolve(config) };
  return existsSync(DEFAULT_CONFIG_FILE) ? { kind: 'file', path: resolve(DEFAULT_CONFIG_FILE) } : { kind: 'demo' };
}

function upstreamUrls(text: string): readonly string[] {
  const urls = text.split(',').map((part) => part.trim());
  return [...new Set(urls.filter((part) => part !== '').map(upstreamUrl))];
}

/** People write `gpu-box:8000`, or the base URL that OpenAI clients want. */
function upstreamUrl(text: string): string {
  const withScheme = /^https?:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.parse(withScheme);
  if (url === null) throw new StartError(`WARDEN_UPSTREAM: "${text}" is not a URL such as http://gpu-box:8000`);
  if (url.username !== '' || url.password !== '') {
    throw new StartError(
      'WARDEN_UPSTREAM: a URL must not carry a user or password; give the engine its api_key in warden.yaml',
    );
  }
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/(v1\/?)?$/, '')}`;
}
