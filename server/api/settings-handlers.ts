import {
  type DatabaseState,
  type RetentionName,
  retentionName,
  type SettingEntry,
  type SettingsState,
  settingsPatch,
} from '#lib/contract/settings.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { Store } from '#server/store/store.ts';
import type { ApiContext } from './context.ts';
import type { ApiCall } from './handlers.ts';
import { readJson } from './read-json.ts';
import { settingEntries, settingEntry } from './setting-entries.ts';

type RetentionState = Awaited<ReturnType<Store['retention']>>;
type RetentionChanges = Parameters<Store['saveRetention']>[0];

/** The store's names of the times that the API names in its own way. */
const STORED = {
  raw_hours: 'rawHours',
  minute_days: 'minuteDays',
  hour_days: 'hourDays',
  request_days: 'requestDays',
  request_rows: 'requestRows',
  event_days: 'eventDays',
  audit_days: 'auditDays',
} as const satisfies Record<RetentionName, keyof RetentionState['current']>;

/** What the process runs with, and where each value comes from. */
export async function getSettings({ context }: ApiCall): Promise<SettingsState> {
  const { settings } = context;
  const file = settings.file();
  return {
    version: context.version,
    node_version: process.version,
    started_at: new Date(context.startedAt).toISOString(),
    data_dir: settings.dataDir,
    config_file: file?.path ?? null,
    process: settings.environment.map(({ name, value, isSet }) =>
      settingEntry(name, value, { source: isSet ? 'environment' : 'default' }),
    ),
    limits: settingEntries(settings.configuration(), (key) => file?.places.get(key)),
    models: context.registry.models().map((model) => ({
      name: model.name,
      origin: context.managed.originOf(model.name),
      entries: modelEntries(model, context),
    })),
    retention: retentionOf(await context.store.retention()),
  };
}

export async function patchSettings(call: ApiCall): Promise<SettingsState> {
  const { retention } = await readJson(call.req, settingsPatch);
  const names = retentionName.options.filter((name) => retention[name] !== undefined);
  const changes: RetentionChanges = Object.fromEntries(names.map((name) => [STORED[name], retention[name]]));
  await call.context.store.saveRetention(changes);
  return getSettings(call);
}

/** The database on the disk, table by table. */
export async function getDatabase({ context: { store, settings } }: ApiCall): Promise<DatabaseState> {
  const [tables, files] = [await store.tableSizes(), await store.fileSizes()];
  const { waiting, dropped } = store.backlog();
  return {
    file: settings.databaseFile,
    file_bytes: files?.fileBytes ?? null,
    wal_bytes: files?.walBytes ?? null,
    waiting_rows: waiting,
    dropped_rows: dropped,
    tables: tables.toSorted((a, b) => b.bytes - a.bytes),
  };
}

function retentionOf({ current, chosen, defaults }: RetentionState): SettingsState['retention'] {
  return retentionName.options.map((name) => ({
    name,
    value: current[STORED[name]],
    default: defaults[STORED[name]],
    chosen: chosen[STORED[name]] !== undefined,
  }));
}

/** A model's part of the configuration; what was changed in the console stands in its place. */
function modelEntries(model: ModelRuntime, { settings, managed }: ApiContext): SettingEntry[] {
  const { replicas, ...config } = model.config;
  const file = settings.file();
  const place = file === null ? '' : `models[${file.models.indexOf(model.name)}].`;
  const urls = replicas.map(({ url, ranks }) => (ranks === 'auto' ? url : `${url} (ranks: ${ranks})`));
  const { setting } = model;
  const changed: Readonly<Record<string, unknown>> = {
    affinity: setting.affinity,
    spill_threshold: setting.spillThreshold,
    cache_fit: setting.cacheFit,
    yield_after_seconds: typeof setting.yieldAfterMs === 'number' ? setting.yieldAfterMs / 1000 : setting.yieldAfterMs,
  };
  const source = { console: 'console', environment: 'environment', file: 'file', simulated: 'default' } as const;
  const origin = source[managed.originOf(model.name)];
  return settingEntries({ replicas: urls, ...config }, (key) => file?.places.get(place + key)).map((entry) => {
    const value = changed[entry.key] ?? null;
    if (value !== null) return settingEntry(entry.key, value, { source: 'console' });
    return entry.key === 'replicas' || entry.key === 'name' ? { ...entry, source: origin } : entry;
  });
}
