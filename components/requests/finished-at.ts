import type { RequestEntry } from '#lib/contract/activity.ts';

/** When a request was over, RFC 3339: requests are listed as they finish, and `time` is when one was accepted. */
export function finishedAt({ time, duration_seconds }: RequestEntry): string {
  return new Date(Date.parse(time) + duration_seconds * 1000).toISOString();
}
