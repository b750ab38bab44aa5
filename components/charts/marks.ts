import type { EventList } from '#lib/contract/activity.ts';

/** What changed in a bucket, drawn as a vertical line. `time` is the bucket's start in ms. */
export type Mark = { readonly time: number; readonly texts: readonly string[] };

/** The events after which a chart may look different. */
const WORDS: Readonly<Record<string, string>> = {
  affinity_on: 'Affinity turned on',
  affinity_off: 'Affinity turned off',
  spill_threshold: 'Spill threshold changed',
  engine_restarted: 'Engine restarted',
};

/** The marks of a chart with these bucket starts; events outside it are left out. */
export function marksIn(events: EventList['events'], times: readonly number[], bucketSeconds: number): Mark[] {
  const first = times[0];
  if (first === undefined) return [];
  const texts = new Map<number, string[]>();
  for (const event of events) {
    const index = Math.floor((Date.parse(event.time) - first) / (bucketSeconds * 1000));
    const time = times[index];
    const word = WORDS[event.kind];
    if (time === undefined || word === undefined) continue;
    texts.set(time, [...(texts.get(time) ?? []), event.model === null ? word : `${word}: ${event.model}`]);
  }
  return Array.from(texts, ([time, lines]) => ({ time, texts: lines }));
}
