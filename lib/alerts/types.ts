/** What can be wrong. The order is that of urgency, for lists. */
export const ALERT_CODES = [
  'engine_down',
  'replica_stuck',
  'disk_nearly_full',
  'keys_failing',
  'hit_share_collapsed',
  'working_set_above_cache',
  'engine_restarted',
] as const;
export type AlertCode = (typeof ALERT_CODES)[number];

export type Severity = 'critical' | 'warning' | 'info';

/** What an alert is about; null where it is about more than that. */
export type Subject = { readonly model: string | null; readonly replica: number | null; readonly url: string | null };

/** Figures that the sentences are made with. Never anything that a client sent. */
export type AlertValues = Readonly<Record<string, number>>;

/**
 * What a rule says of its subject at one moment. `between`: neither so bad that it would be raised nor so good that it
 * would be over, or unknown; an alert stays as it is.
 */
export type Condition = {
  readonly code: AlertCode;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly state: 'bad' | 'between' | 'good';
  readonly values: AlertValues;
};

export type Alert = {
  readonly id: string;
  readonly code: AlertCode;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly values: AlertValues;
  /** When the trouble began, ms since the epoch: before it was raised by as long as the rule waits. */
  readonly since: number;
};

/**
 * One look at everything, as plain figures. `at` is a clock that never jumps, for durations; `now` the one on the wall.
 * What is not known is null.
 */
export type Observation = {
  readonly at: number;
  readonly now: number;
  readonly processes: readonly ProcessView[];
  readonly replicas: readonly ReplicaView[];
  readonly models: readonly ModelView[];
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  /** Requests refused for want of a valid key since the start; null where no keys are asked for. */
  readonly refusedKeys: number | null;
};

/** One engine URL. */
export type ProcessView = {
  readonly model: string;
  readonly url: string;
  readonly up: boolean;
  /** No process of the model is up. */
  readonly isWholeModelDown: boolean;
  readonly restartedAt: number | null;
};

export type ReplicaView = {
  readonly model: string;
  readonly replica: number;
  readonly url: string;
  /** When the engine was read; null where no fresh reading is known. */
  readonly readAt: number | null;
  readonly waiting: number | null;
  /** Prompt tokens computed and tokens generated since the engine started. */
  readonly tokens: number | null;
  readonly workingSetTokens: number | null;
  readonly capacityTokens: number | null;
};

/** Sums over the finished requests whose cached tokens the engine told, since the start. */
export type ModelView = {
  readonly model: string;
  readonly requests: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
};
