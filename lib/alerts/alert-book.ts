import type { Alert, AlertCode, Condition, Subject } from './types.ts';

/** How long something has to be bad before it is said, and good before it is over. ms. */
export type Patience = { readonly raiseAfterMs: number; readonly clearAfterMs: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Long enough that an engine restarting, a burst or one slow prompt raises nothing. */
export const PATIENCE: Readonly<Record<AlertCode, Patience>> = {
  engine_down: { raiseAfterMs: 30 * SECOND, clearAfterMs: 10 * SECOND },
  replica_stuck: { raiseAfterMs: 2 * MINUTE, clearAfterMs: 20 * SECOND },
  disk_nearly_full: { raiseAfterMs: MINUTE, clearAfterMs: MINUTE },
  keys_failing: { raiseAfterMs: 0, clearAfterMs: 2 * MINUTE },
  hit_share_collapsed: { raiseAfterMs: 5 * MINUTE, clearAfterMs: 5 * MINUTE },
  working_set_above_cache: { raiseAfterMs: 5 * MINUTE, clearAfterMs: 2 * MINUTE },
  engine_restarted: { raiseAfterMs: 0, clearAfterMs: 0 },
};

export type AlertChange = { readonly kind: 'raised' | 'resolved'; readonly alert: Alert };

/** Keeps what is wrong over time: an alert is raised once, and resolved once. */
export type AlertBook = {
  /** Takes in what the rules say now. A subject that no rule speaks of any more is gone, and its alert with it. */
  update(conditions: readonly Condition[], at: number, now: number): readonly AlertChange[];
  /** What is raised, in the order in which it was. */
  raised(): readonly Alert[];
};

type Entry = {
  /** Since when it is bad without a break; null while it is not. Both on the clock that never jumps. */
  badSince: number | null;
  goodSince: number | null;
  alert: Alert | null;
};

export function createAlertBook(patience: Readonly<Record<AlertCode, Patience>> = PATIENCE): AlertBook {
  const entries = new Map<string, Entry>();
  let raisedSoFar = 0;

  const step = (entry: Entry, condition: Condition, at: number, now: number): AlertChange | null => {
    const { code, state } = condition;
    const { raiseAfterMs, clearAfterMs } = patience[code];
    entry.badSince = state === 'bad' ? (entry.badSince ?? at) : null;
    entry.goodSince = state === 'good' ? (entry.goodSince ?? at) : null;
    if (entry.alert === null) {
      if (entry.badSince === null || at - entry.badSince < raiseAfterMs) return null;
      raisedSoFar += 1;
      entry.alert = { ...told(condition), id: `${code}-${raisedSoFar}`, since: now - (at - entry.badSince) };
      return { kind: 'raised', alert: entry.alert };
    }
    if (entry.goodSince !== null && at - entry.goodSince >= clearAfterMs) {
      const { alert } = entry;
      entry.alert = null;
      return { kind: 'resolved', alert };
    }
    if (state === 'bad') entry.alert = { ...entry.alert, ...told(condition) };
    return null;
  };

  return {
    update(conditions, at, now) {
      const changes: AlertChange[] = [];
      const spokenOf = new Set<string>();
      for (const condition of conditions) {
        const key = keyOf(condition.code, condition.subject);
        spokenOf.add(key);
        const entry = entries.get(key) ?? { badSince: null, goodSince: null, alert: null };
        entries.set(key, entry);
        const change = step(entry, condition, at, now);
        if (change !== null) changes.push(change);
      }
      for (const [key, { alert }] of entries) {
        if (spokenOf.has(key)) continue;
        entries.delete(key);
        if (alert !== null) changes.push({ kind: 'resolved', alert });
      }
      return changes;
    },
    raised: () => [...entries.values()].flatMap(({ alert }) => alert ?? []).sort((a, b) => a.since - b.since),
  };
}

function told({ code, severity, subject, values }: Condition): Omit<Alert, 'id' | 'since'> {
  return { code, severity, subject, values };
}

function keyOf(code: AlertCode, { model, replica, url }: Subject): string {
  return JSON.stringify([code, model, replica, url]);
}
