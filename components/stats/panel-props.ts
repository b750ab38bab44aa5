import type { Asked } from '#components/data/series-queries.ts';
import type { EventList } from '#lib/contract/activity.ts';

/** What every panel of the page is given. */
export type PanelProps = {
  readonly asked: Asked;
  readonly events: EventList['events'];
  /** The window in words, and whose numbers they are. */
  readonly over: string;
  readonly whose: string;
};
