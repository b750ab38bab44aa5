import type { BenchmarkPolicy, ModelReadings } from '#lib/contract/benchmark.ts';

/** What a benchmark switches, and puts back. */
export type BenchmarkSettings = { readonly affinity: boolean; readonly cacheFit: boolean };

export function settingsOf(policy: BenchmarkPolicy): BenchmarkSettings {
  return { affinity: policy !== 'off', cacheFit: policy === 'cache-fit' };
}

/** Cache-fit does nothing while affinity is off. */
export function isInForce(policy: BenchmarkPolicy, { affinity, cache_fit }: ModelReadings): boolean {
  return policy === 'off' ? !affinity : affinity && cache_fit === (policy === 'cache-fit');
}

/** The model that is measured, beside the requests sent to it: in this process, or through the console's API. */
export type ModelUnderTest = {
  readings(): Promise<ModelReadings>;
  /** In force for the next request. */
  set(settings: BenchmarkSettings): Promise<void>;
};

/** Conversations used this recently are traffic: agents pause between turns. */
const RECENT_MS = 15_000;

/**
 * Why a benchmark must not start, as a sentence; null where the model is idle. `ownUntil`: use up to then, in ms since
 * the epoch, was that of an earlier benchmark.
 */
export function otherTraffic(readings: ModelReadings, ownUntil: number): string | null {
  const now = Date.parse(readings.at);
  if (readings.in_flight > 0) {
    return `${readings.model} has ${readings.in_flight} ${readings.in_flight === 1 ? 'request' : 'requests'} in flight.`;
  }
  const usedAt = readings.last_used_at === null ? 0 : Date.parse(readings.last_used_at);
  if (usedAt <= ownUntil || now - usedAt > RECENT_MS) return null;
  const seconds = Math.max(1, Math.round((now - usedAt) / 1000));
  return `A conversation with ${readings.model} was used ${seconds} s ago.`;
}
