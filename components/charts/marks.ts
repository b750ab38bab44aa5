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

/** What changed in a bucket, drawn as a vertical line. `time` is the bucket's start in ms. */
export type Mark = { readonly time: number; readonly events: readonly MarkEvent[] };

/** The marks of a chart with these bucket starts, newest first; events outside it are left out. */
export function marksIn(events: EventList['events'], times: readonly number[], bucketSeconds: number): Mark[] {
  const first = times[0];
  if (first === undefined) return [];
  const marked = new Map<number, MarkEvent[]>();
  for (const { time: at, kind, model, facts } of events) {
    const time = times[Math.floor((Date.parse(at) - first) / (bucketSeconds * 1000))];
    const known = MARKED_EVENTS.find((one) => one === kind);
    if (time === undefined || known === undefined) continue;
    marked.set(time, [...(marked.get(time) ?? []), { kind: known, model, facts }]);
  }
  return Array.from(marked, ([time, list]) => ({ time, events: list })).sort((a, b) => b.time - a.time);
}
