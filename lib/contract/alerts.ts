import * as z from 'zod';

export const alertCode = z.enum([
  'engine_down',
  'replica_stuck',
  'disk_nearly_full',
  'keys_failing',
  'hit_share_collapsed',
  'working_set_above_cache',
  'engine_restarted',
]);
export type AlertCodeName = z.infer<typeof alertCode>;

/** Something that a person should look at. `message` and `action` are English; `code` and `values` say the same. */
export const alert = z.object({
  id: z.string(),
  code: alertCode,
  severity: z.enum(['critical', 'warning', 'info']),
  model: z.string().nullable(),
  replica: z.number().nullable(),
  url: z.string().nullable(),
  /** When the trouble began. */
  since: z.string(),
  resolved_at: z.string().nullable(),
  message: z.string(),
  action: z.string(),
  /** The figures in the sentences. */
  values: z.record(z.string(), z.number()),
});
export type AlertView = z.infer<typeof alert>;

/** `GET /api/alerts`: what is wrong now, the most urgent first, and what was since the start, newest first. */
export const alertList = z.object({ alerts: z.array(alert), resolved: z.array(alert) });
export type AlertList = z.infer<typeof alertList>;

/** What the webhook is sent. `text` is there for chat services that show nothing else. */
export const alertNotice = z.object({
  source: z.literal('lm-warden'),
  version: z.string(),
  status: z.enum(['raised', 'resolved']),
  text: z.string(),
  alert,
});
export type AlertNotice = z.infer<typeof alertNotice>;
