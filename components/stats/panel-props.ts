import type { Asked } from '#components/data/series-queries.ts';
import type { EventList } from '#lib/contract/activity.ts';

/** What every panel of the page is given. */
export type PanelProps = {
  readonly asked: Asked;
  readonly events: EventList['events'];
  /** Whose numbers they are. */
  readonly whose: string;
};
