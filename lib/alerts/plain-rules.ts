import type { Condition, Observation } from './types.ts';

const GIBIBYTE = 1024 ** 3;
const NOWHERE = { model: null, replica: null, url: null };

/** Whether it was ever up does not matter: a wrong address is as much a reason to look as a dead engine. */
export function engineDown({ processes }: Observation): readonly Condition[] {
  return processes.map(({ model, url, up, isWholeModelDown }) => ({
    code: 'engine_down',
    severity: isWholeModelDown ? 'critical' : 'warning',
    subject: { model, replica: null, url },
    state: up ? 'good' : 'bad',
    values: { whole_model: isWholeModelDown ? 1 : 0 },
  }));
}

/** The conversations that a replica keeps, against its cache. Not known where admission does not count them. */
export function workingSet({ replicas }: Observation): readonly Condition[] {
  return replicas.flatMap(({ model, replica, url, workingSetTokens, capacityTokens }): Condition[] => {
    if (workingSetTokens === null || capacityTokens === null || capacityTokens === 0) return [];
    const share = workingSetTokens / capacityTokens;
    return [
      {
        code: 'working_set_above_cache',
        severity: 'warning',
        subject: { model, replica, url },
        state: share > 1 ? 'bad' : share < 0.9 ? 'good' : 'between',
        values: { tokens: workingSetTokens, capacity_tokens: capacityTokens },
      },
    ];
  });
}

/** Less than 1 GiB, or than a tenth of a small disk. Over with half as much again. */
export function diskNearlyFull({ disk }: Observation): readonly Condition[] {
  if (disk === null) return [];
  const least = Math.min(GIBIBYTE, disk.totalBytes / 10);
  const state = disk.freeBytes < least ? 'bad' : disk.freeBytes >= 1.5 * least ? 'good' : 'between';
  return [
    {
      code: 'disk_nearly_full',
      severity: 'warning',
      subject: NOWHERE,
      state,
      values: { free_mb: Math.floor(disk.freeBytes / 1024 ** 2) },
    },
  ];
}

const RESTART_SHOWN_MS = 10 * 60_000;

/** A restart is news for ten minutes. One from before the first look is none: it is how things were found. */
export function createRestartRule(): (observation: Observation) => readonly Condition[] {
  const seen = new Map<string, { readonly restartedAt: number | null; readonly at: number | null }>();
  return ({ processes, at }) =>
    processes.map(({ model, url, restartedAt }) => {
      const key = JSON.stringify([model, url]);
      const before = seen.get(key);
      const isNew = before !== undefined && restartedAt !== null && restartedAt !== before.restartedAt;
      const entry = { restartedAt, at: isNew ? at : (before?.at ?? null) };
      seen.set(key, entry);
      return {
        code: 'engine_restarted',
        severity: 'info',
        subject: { model, replica: null, url },
        state: entry.at !== null && at - entry.at < RESTART_SHOWN_MS ? 'bad' : 'good',
        values: {},
      };
    });
}

const KEYS_WINDOW_MS = 5 * 60_000;
const MANY_REFUSED = 20;
const FEW_REFUSED = 5;

/** Requests without a valid key, over five minutes: a client with an old key, or somebody who guesses. */
export function createKeysRule(): (observation: Observation) => readonly Condition[] {
  const counts: { readonly at: number; readonly count: number }[] = [];
  return ({ refusedKeys, at }) => {
    if (refusedKeys === null) return [];
    counts.push({ at, count: refusedKeys });
    while (counts[0] !== undefined && at - counts[0].at > KEYS_WINDOW_MS) counts.shift();
    const refused = refusedKeys - (counts[0]?.count ?? refusedKeys);
    const state = refused >= MANY_REFUSED ? 'bad' : refused < FEW_REFUSED ? 'good' : 'between';
    return [{ code: 'keys_failing', severity: 'warning', subject: NOWHERE, state, values: { refused } }];
  };
}
