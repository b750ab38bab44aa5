import type { StepMeasurement, TurnRecord } from './measurement.ts';

/** A row of the report. Durations in seconds, shares 0..100; null where there is nothing to tell it from. */
export type ReportRow = {
  readonly policy: string;
  readonly sessions: number;
  readonly sessions_per_hour: number | null;
  readonly output_tokens_per_minute: number | null;
  readonly ttfb_p50_seconds: number | null;
  readonly ttfb_p95_seconds: number | null;
  readonly ttfb_p99_seconds: number | null;
  readonly ttfb_mean_seconds: number | null;
  /** The longest wait, of requests that were still waiting when the step ended as well. */
  readonly ttfb_max_seconds: number | null;
  readonly ttfb_first_p50_seconds: number | null;
  readonly ttfb_continuing_p50_seconds: number | null;
  readonly session_p50_seconds: number | null;
  readonly replicas_busy: number | null;
  readonly prefix_hit_percent: number | null;
  readonly stayed_percent: number | null;
  /** Turns that the router held back, of those of which that is known, and for how long; the engine's queue comes on top. */
  readonly held_percent: number | null;
  readonly held_mean_seconds: number | null;
  readonly held_max_seconds: number | null;
  /** Requests whose first byte came within the step: what the times above are told from. */
  readonly turns: number | null;
};

/** The row of one step. Everything the console, the commands and the documents show is derived here, once. */
export function reportRow(step: StepMeasurement): ReportRow {
  const answered = step.turns.filter((turn) => turn.firstByteAt !== null);
  const waits = answered.map(ttfbSeconds);
  const homes = step.turns.filter((turn) => turn.stayed !== null);
  const { prefix } = step;
  return {
    policy: step.policy,
    sessions: step.sessions,
    sessions_per_hour: perSecond(step.sessionDurations.length, step.seconds, 3600),
    output_tokens_per_minute: perSecond(step.outputTokens, step.seconds, 60),
    ttfb_p50_seconds: quantile(waits, 0.5),
    ttfb_p95_seconds: quantile(waits, 0.95),
    ttfb_p99_seconds: quantile(waits, 0.99),
    ttfb_mean_seconds: mean(waits),
    ttfb_max_seconds: longest(step),
    ttfb_first_p50_seconds: quantile(answered.filter(isFirst).map(ttfbSeconds), 0.5),
    ttfb_continuing_p50_seconds: quantile(answered.filter((turn) => !isFirst(turn)).map(ttfbSeconds), 0.5),
    session_p50_seconds: quantile(
      step.sessionDurations.map((ms) => ms / 1000),
      0.5,
    ),
    replicas_busy: mean(step.busyReplicas),
    prefix_hit_percent: prefix === null ? null : percent(prefix.hits, prefix.queries),
    stayed_percent: percent(homes.filter((turn) => turn.stayed).length, homes.length),
    ...heldColumns(step.turns),
    turns: answered.length,
  };
}

function heldColumns(turns: readonly TurnRecord[]) {
  const known = turns.map(({ heldMs }) => heldMs).filter((ms) => ms !== null);
  const held = known.filter((ms) => ms > 0).map((ms) => ms / 1000);
  return {
    held_percent: percent(held.length, known.length),
    held_mean_seconds: mean(held),
    held_max_seconds: quantile(held, 1),
  };
}

/** Column by column the mean of the rows that know it, to a thousandth. The rows are repeats of one step of one policy. */
export function averageRows(rows: readonly ReportRow[]): ReportRow {
  const [first] = rows;
  if (first === undefined) throw new RangeError('no rows to average');
  const column = (name: Exclude<keyof ReportRow, 'policy' | 'sessions'>) =>
    rounded(mean(rows.map((row) => row[name]).filter((value) => value !== null)));
  return {
    policy: first.policy,
    sessions: first.sessions,
    sessions_per_hour: column('sessions_per_hour'),
    output_tokens_per_minute: column('output_tokens_per_minute'),
    ttfb_p50_seconds: column('ttfb_p50_seconds'),
    ttfb_p95_seconds: column('ttfb_p95_seconds'),
    ttfb_p99_seconds: column('ttfb_p99_seconds'),
    ttfb_mean_seconds: column('ttfb_mean_seconds'),
    ttfb_max_seconds: column('ttfb_max_seconds'),
    ttfb_first_p50_seconds: column('ttfb_first_p50_seconds'),
    ttfb_continuing_p50_seconds: column('ttfb_continuing_p50_seconds'),
    session_p50_seconds: column('session_p50_seconds'),
    replicas_busy: column('replicas_busy'),
    prefix_hit_percent: column('prefix_hit_percent'),
    stayed_percent: column('stayed_percent'),
    held_percent: column('held_percent'),
    held_mean_seconds: column('held_mean_seconds'),
    held_max_seconds: column('held_max_seconds'),
    turns: column('turns'),
  };
}

function isFirst({ turn }: TurnRecord): boolean {
  return turn === 0;
}

function ttfbSeconds({ sentAt, firstByteAt }: TurnRecord): number {
  return ((firstByteAt ?? sentAt) - sentAt) / 1000;
}

function longest({ turns, seconds }: StepMeasurement): number | null {
  let most: number | null = null;
  for (const { sentAt, firstByteAt } of turns) {
    most = Math.max(most ?? 0, ((firstByteAt ?? seconds * 1000) - sentAt) / 1000);
  }
  return most;
}

/** The smallest value that at least `share` of all do not exceed (nearest rank). */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

function perSecond(count: number, seconds: number, unitSeconds: number): number | null {
  return seconds === 0 ? null : (count * unitSeconds) / seconds;
}
