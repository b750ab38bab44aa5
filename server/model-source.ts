import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type DiscoveredUpstream, groupUpstreams } from '#lib/config/group-upstreams.ts';
import { type ConfigProblem, parseConfig } from '#lib/config/parse-config.ts';
import { defaultLimits, type Limits, type ModelConfig, type WardenConfig } from '#lib/config/schema.ts';
import { createVllmAdapter } from '#server/engines/vllm.ts';
import { StartError } from './settings.ts';

/** What the running process is configured with. It changes when the file does, or when an upstream first answers. */
export type Configuration = {
  readonly models: readonly ModelConfig[];
  readonly limits: Limits;
  readonly sessionHeaders: readonly string[];
  readonly extraPaths: readonly string[];
  readonly allowedUpstreamHosts: readonly string[];
};

export type ConfigurationSource = {
  current(): Configuration;
  /** The text of the file in force; absent where the models do not come from one. */
  text?(): string;
  /** What a person should know of it ("the changed file is wrong, the one before is in force"). */
  warnings(): readonly { readonly code: string; readonly message: string }[];
  close(): void;
};

const FILE_POLL_MS = 1_000;
const UPSTREAM_RETRY_MS = 2_000;
/** How long the start waits for upstreams to say what they serve; those that are slower are taken in later. */
const UPSTREAM_START_MS = 3_000;

const withDefaults = (models: readonly ModelConfig[]): Configuration => ({
  models,
  limits: defaultLimits(),
  sessionHeaders: [],
  extraPaths: [],
  allowedUpstreamHosts: [],
});

export function fixedSource(models: readonly ModelConfig[]): ConfigurationSource {
  const configuration = withDefaults(models);
  return { current: () => configuration, warnings: () => [], close() {} };
}

/** Reads the file, and again whenever it changes. Throws a StartError where it is wrong at the start. */
export function fileSource(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
  onChange: (before: WardenConfig, after: WardenConfig) => void,
): ConfigurationSource {
  let text = readConfigText(path);
  let config = parseOrThrow(path, text, env);
  let configuration = configurationOf(config);
  let warning: string | null = null;

  const reread = (): void => {
    try {
      const newText = readConfigText(path);
      // What is there again as it is in force may have been wrong in between.
      if (newText === text) {
        warning = null;
        return;
      }
      const before = config;
      config = parseOrThrow(path, newText, env);
      text = newText;
      configuration = configurationOf(config);
      warning = null;
      log.info({ path }, 'configuration reloaded');
      onChange(before, config);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      warning = `The changed configuration is not in force, the one before is: ${error.message}`;
      log.error({ path }, warning);
    }
  };
  watchFile(path, { interval: FILE_POLL_MS, persistent: false }, reread);
  process.on('SIGHUP', reread);
  return {
    current: () => configuration,
    text: () => text,
    warnings: () => (warning === null ? [] : [{ code: 'configuration', message: warning }]),
    close() {
      unwatchFile(path, reread);
      process.off('SIGHUP', reread);
    },
  };
}

function readConfigText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`cannot read the configuration ${path}: ${reason}`);
  }
}

function parseOrThrow(path: string, text: string, env: Readonly<Record<string, string | undefined>>): WardenConfig {
  const result = parseConfig(text, env);
  if (result.ok) return result.config;
  const list = result.problems.map((problem) => `  ${problemText(path, problem)}`);
  throw new StartError(`the configuration is wrong:\n${list.join('\n')}`);
}

function problemText(path: string, { line, message }: ConfigProblem): string {
  return line === null ? `${path}: ${message}` : `${path}:${line}: ${message}`;
}

const configurationOf = (config: WardenConfig): Configuration => ({
  models: config.models,
  limits: config.limits,
  sessionHeaders: config.session_headers,
  extraPaths: config.extra_paths,
  allowedUpstreamHosts: config.allowed_upstream_hosts,
});

/**
 * Asks each URL what it serves until it has answered once; what engines say later is the pollers' to notice. Resolves
 * when all have answered, or after a few seconds with those that have.
 */
export async function upstreamSource(
  urls: readonly string[],
  log: Logger,
  onChange: () => void,
): Promise<ConfigurationSource> {
  const stopping = new AbortController();
  const found = new Map<string, readonly string[]>();
  const failures = new Map<string, string>();
  const grouped = (): Configuration =>
    withDefaults(groupUpstreams(urls.map((url): DiscoveredUpstream => ({ url, models: found.get(url) ?? null }))));
  let configuration = grouped();
  let started = false;

  const ask = async (url: string): Promise<void> => {
    const adapter = createVllmAdapter({ url, apiKey: null });
    while (!found.has(url) && !stopping.signal.aborted) {
      try {
        const { models } = await adapter.facts(stopping.signal);
        found.set(
          url,
          models.filter((model) => model.parent === null).map((model) => model.id),
        );
        failures.delete(url);
        configuration = grouped();
        log.info({ url, models: found.get(url) }, 'upstream answered');
        if (started) onChange();
      } catch (error) {
        if (stopping.signal.aborted) break;
        const message = error instanceof Error ? error.message : String(error);
        if (failures.get(url) !== message) log.warn({ url }, `upstream has not answered yet: ${message}`);
        failures.set(url, message);
        await pause(UPSTREAM_RETRY_MS, undefined, { ref: false });
      }
    }
    await adapter.close();
  };

  const all = Promise.all(urls.map(ask));
  await Promise.race([all, pause(UPSTREAM_START_MS, undefined, { ref: false })]);
  started = true;
  return {
    current: () => configuration,
    warnings: () =>
      [...failures].map(([url, message]) => ({ code: 'upstream', message: `${url} has not answered yet: ${message}` })),
    close: () => stopping.abort(),
  };
}
