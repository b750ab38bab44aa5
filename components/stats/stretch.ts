import type { Stretch } from '#components/data/series-queries.ts';
import { LONGEST_SECONDS } from '#lib/series/span.ts';

/** What is wrong with a stretch of time as typed. */
export type StretchProblem = 'unreadable' | 'backwards' | 'future' | 'tooOld';

type ReadStretch =
  | { readonly kind: 'ready'; readonly stretch: Stretch }
  | { readonly kind: 'problem'; readonly problem: StretchProblem };

const MINUTE_MS = 60_000;

/** The two ends as the browser's date fields have them, in local time: "2026-11-30T12:04". */
export function readStretch(from: string, to: string, now: number): ReadStretch {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (!Number.isFinite(start) || !Number.isFinite(end)) return { kind: 'problem', problem: 'unreadable' };
  if (start >= now) return { kind: 'problem', problem: 'future' };
  if (Math.min(end, now) - start < MINUTE_MS) return { kind: 'problem', problem: 'backwards' };
  if (now - start > LONGEST_SECONDS * 1000) return { kind: 'problem', problem: 'tooOld' };
  return { kind: 'ready', stretch: { from: new Date(start).toISOString(), to: new Date(end).toISOString() } };
}

/** A time as a browser's date field wants it: local, to the minute. */
export function fieldTime(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}
