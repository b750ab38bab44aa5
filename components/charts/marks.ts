import type { EventList } from '#lib/contract/activity.ts';

/** The events after which a chart may look different. */
export const MARKED_EVENTS = [
  'affinity_on',
  'affinity_off',
  'cache_fit_on',
  'cache_fit_off',
  'spill_threshold',
  'yield_after',
  'engine_restarted',
  'engine_down',
  'engine_up',
  'drain',
  'undrain',
] as const;
export type MarkedEvent = (typeof MARKED_EVENTS)[number];

export type MarkEvent = {
  readonly kind: MarkedEvent;
  readonly model: string | null;
  readonly facts: EventList['events'][number]['facts'];
};

/** What changed in a bucket, drawn as a vertical line. */
export type Mark = {
  /** Start of the bucket, ms since the epoch. */
  readonly time: number;
  /** When the last of it happened. */
  readonly at: number;
  readonly events: readonly MarkEvent[];
};

/** The marks of a chart with these bucket starts, newest first; events outside it are left out. */
export function marksIn(events: EventList['events'], times: readonly number[], bucketSeconds: number): Mark[] {
  const first = times[0];
  if (first === undefined) return [];
  const marked = new Map<number, Omit<Mark, 'time'>>();
  for (const { time: happened, kind, model, facts } of events) {
    const at = Date.parse(happened);
    const time = times[Math.floor((at - first) / (bucketSeconds * 1000))];
    const known = MARKED_EVENTS.find((one) => one === kind);
    if (time === undefined || known === undefined) continue;
    const before = marked.get(time) ?? { at, events: [] };
    marked.set(time, { at: Math.max(at, before.at), events: [...before.events, { kind: known, model, facts }] });
  }
  return Array.from(marked, ([time, mark]) => ({ time, ...mark })).sort((a, b) => b.time - a.time);
}
