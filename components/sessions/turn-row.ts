import type { Cell } from '#components/charts/csv.ts';
import { finishedAt } from '#components/requests/finished-at.ts';
import type { RequestEntry } from '#lib/contract/activity.ts';

/** The columns of the file of a conversation's turns; of machines and spreadsheets: the same in every language. */
export const TURN_HEADER = [
  'finished_at',
  'replica',
  'decision',
  'prompt_tokens',
  'cached_tokens',
  'computed_tokens',
  'completion_tokens',
  'ttfb_seconds',
  'duration_seconds',
  'queued_seconds',
  'status',
] as const;

export function turnRow(turn: RequestEntry): readonly Cell[] {
  const { replica, decision, prompt_tokens: prompt, cached_tokens: cached, completion_tokens } = turn;
  return [
    finishedAt(turn),
    replica,
    decision,
    prompt,
    cached,
    prompt === null || cached === null ? null : prompt - cached,
    completion_tokens,
    turn.ttfb_seconds,
    turn.duration_seconds,
    turn.queued_seconds,
    turn.status,
  ];
}
