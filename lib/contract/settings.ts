import * as z from 'zod';
import { modelOrigin } from './models.ts';

/** Where a value comes from. `console`: a person changed it there; that wins over the rest. */
export const settingSource = z.enum(['default', 'file', 'environment', 'console']);
export type SettingSource = z.infer<typeof settingSource>;

export const settingEntry = z.object({
  /** As one writes it: `limits.max_body_mb`, `affinity`, `WARDEN_PORT`. */
  key: z.string(),
  /** Null where nothing is set, and where `secret` says that something is. */
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable(),
  /** Set, and never sent. */
  secret: z.boolean(),
  source: settingSource,
  /** In the configuration file. */
  line: z.number().nullable(),
  /** The environment variables that the file makes the value of. */
  variables: z.array(z.string()),
});
export type SettingEntry = z.infer<typeof settingEntry>;

/** What a person may choose, and within which bounds: charts of 30 days compared with the 30 days before need 60. */
export const RETENTION_BOUNDS = {
  raw_hours: { min: 1, max: 2160 },
  minute_days: { min: 2, max: 400 },
  hour_days: { min: 60, max: 4000 },
  request_days: { min: 1, max: 400 },
  request_rows: { min: 1000, max: 10_000_000 },
  event_days: { min: 60, max: 4000 },
  audit_days: { min: 30, max: 4000 },
} as const;
export type RetentionName = keyof typeof RETENTION_BOUNDS;
export const retentionName = z.enum([
  'raw_hours',
  'minute_days',
  'hour_days',
  'request_days',
  'request_rows',
  'event_days',
  'audit_days',
]);

export const settingsState = z.object({
  version: z.string(),
  node_version: z.string(),
  started_at: z.string(),
  data_dir: z.string(),
  /** The configuration file; null where there is none. */
  config_file: z.string().nullable(),
  process: z.array(settingEntry),
  limits: z.array(settingEntry),
  models: z.array(z.object({ name: z.string(), origin: modelOrigin, entries: z.array(settingEntry) })),
  /** `chosen`: by a person, in the console. */
  retention: z.array(z.object({ name: retentionName, value: z.number(), default: z.number(), chosen: z.boolean() })),
});
export type SettingsState = z.infer<typeof settingsState>;

const bounded = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .int()
    .min(min, { error: `must be ${min} or more` })
    .max(max, { error: `must be ${max} or less` })
    .nullable()
    .optional();

/** Null gives a time back to the default. */
export const settingsPatch = z.strictObject({
  retention: z.strictObject({
    raw_hours: bounded(RETENTION_BOUNDS.raw_hours),
    minute_days: bounded(RETENTION_BOUNDS.minute_days),
    hour_days: bounded(RETENTION_BOUNDS.hour_days),
    request_days: bounded(RETENTION_BOUNDS.request_days),
    request_rows: bounded(RETENTION_BOUNDS.request_rows),
    event_days: bounded(RETENTION_BOUNDS.event_days),
    audit_days: bounded(RETENTION_BOUNDS.audit_days),
  }),
});
export type SettingsPatch = z.infer<typeof settingsPatch>;

export const databaseState = z.object({
  /** Sizes are null where everything is kept in memory. */
  file: z.string(),
  file_bytes: z.number().nullable(),
  wal_bytes: z.number().nullable(),
  /** Rows that are not written yet, and how many were lost since the start because they could not be. */
  waiting_rows: z.number(),
  dropped_rows: z.number(),
  /** The largest first, with their indexes. */
  tables: z.array(z.object({ name: z.string(), rows: z.number(), bytes: z.number() })),
});
export type DatabaseState = z.infer<typeof databaseState>;
