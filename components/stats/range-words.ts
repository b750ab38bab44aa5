import type { WindowName } from '#lib/contract/series.ts';
import { formatDateTime } from '#lib/format/time.ts';

/** The ranges in a sentence: "over the last hour". */
export const RANGE_WORDS: Readonly<Record<WindowName, string>> = {
  '15m': 'the last 15 minutes',
  '1h': 'the last hour',
  '6h': 'the last 6 hours',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  custom: 'the chosen time',
};

type Shown = { readonly window: WindowName; readonly buckets: readonly { readonly time: string }[] };

/** Below the title of a picture, which has no page around it: whose numbers, and of when. */
export function pictureNote({ window, buckets }: Shown, model: string | null): string {
  const [first] = buckets;
  const since = first === undefined ? '' : `, since ${formatDateTime(Date.parse(first.time))}`;
  return `${model ?? 'All models'}, ${RANGE_WORDS[window]}${since}`;
}
