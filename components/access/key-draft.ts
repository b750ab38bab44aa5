import type { NewKey } from '#lib/contract/access.ts';

const DAY_MS = 86_400_000;

/** How long a key is good for. */
export const EXPIRIES = ['never', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Expiry = (typeof EXPIRIES)[number];
const DAYS: Readonly<Record<Exclude<Expiry, 'never'>, number>> = { day: 1, week: 7, month: 30, quarter: 90, year: 365 };

/** A key that is being made, as typed. `models` null: all. */
export type KeyDraft = {
  readonly name: string;
  readonly models: readonly string[] | null;
  readonly expiry: Expiry;
  readonly perMinute: string;
  readonly concurrent: string;
};

export const EMPTY_KEY: KeyDraft = { name: '', models: null, expiry: 'quarter', perMinute: '', concurrent: '' };

/** What is wrong with each field, as a message of `access.newKey`; null where nothing is. */
export type KeyProblems = {
  readonly name: 'needName' | null;
  readonly models: 'needModel' | null;
  readonly perMinute: 'limitBad' | null;
  readonly concurrent: 'limitBad' | null;
};

export function keyProblems({ name, models, perMinute, concurrent }: KeyDraft): KeyProblems {
  return {
    name: name.trim() === '' ? 'needName' : null,
    models: models !== null && models.length === 0 ? 'needModel' : null,
    perMinute: isLimit(perMinute, 1_000_000) ? null : 'limitBad',
    concurrent: isLimit(concurrent, 100_000) ? null : 'limitBad',
  };
}

/** What is sent; null where something is wrong. `now`: ms since the epoch. */
export function keyWish(draft: KeyDraft, now: number): NewKey | null {
  if (Object.values(keyProblems(draft)).some((problem) => problem !== null)) return null;
  const { name, models, expiry } = draft;
  return {
    name: name.trim(),
    models: models === null ? null : [...models],
    expires_at: expiry === 'never' ? null : new Date(now + DAYS[expiry] * DAY_MS).toISOString(),
    requests_per_minute: limitOf(draft.perMinute),
    concurrent_requests: limitOf(draft.concurrent),
  };
}

function isLimit(text: string, most: number): boolean {
  const limit = limitOf(text);
  return limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= most);
}

function limitOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
