import { join } from 'node:path';
import { configLines } from '#lib/config/config-lines.ts';
import type { RunningSettings } from './api/context.ts';
import type { ConfigurationSource } from './model-source.ts';
import { environmentVariables, type ProcessSettings } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the Settings page shows of the start; the file is looked through again only when it is another one. */
export function createRunningSettings(
  settings: ProcessSettings,
  env: Environment,
  source: ConfigurationSource,
): RunningSettings {
  const { kind } = settings.source;
  const path = kind === 'file' ? settings.source.path : null;
  let read: { readonly text: string; readonly places: ReturnType<typeof configLines> } | null = null;
  return {
    dataDir: settings.dataDir,
    databaseFile: join(settings.dataDir, 'warden.db'),
    environment: environmentVariables(env),
    file() {
      const text = source.text?.();
      if (path === null || text === undefined) return null;
      if (read?.text !== text) read = { text, places: configLines(text) };
      return { path, places: read.places, models: source.current().models.map(({ name }) => name) };
    },
    configuration() {
      const { limits, sessionHeaders, extraPaths, allowedUpstreamHosts } = source.current();
      return {
        limits,
        session_headers: sessionHeaders,
        extra_paths: extraPaths,
        allowed_upstream_hosts: allowedUpstreamHosts,
      };
    },
  };
}
