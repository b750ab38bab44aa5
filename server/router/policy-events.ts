import type { EventFacts } from '#server/store/store.ts';
import type { EffectivePolicy } from './policy.ts';

export type PolicyEvent = { readonly kind: string; readonly detail: string; readonly facts: EventFacts | null };

/** What to tell of a changed policy, one event for each part that is another one now. */
export function policyEvents(before: EffectivePolicy, after: EffectivePolicy): readonly PolicyEvent[] {
  return [
    ...(before.affinity === after.affinity ? [] : [switched('affinity', 'affinity', after.affinity)]),
    ...(before.cacheFit === after.cacheFit ? [] : [switched('cache_fit', 'cache-fit', after.cacheFit)]),
    ...(before.yieldAfterMs === after.yieldAfterMs ? [] : [yieldAfter(before.yieldAfterMs, after.yieldAfterMs)]),
    ...(isSameThreshold(before, after) ? [] : [spillThreshold(before, after)]),
  ];
}

function switched(kind: string, name: string, on: boolean): PolicyEvent {
  const to = on ? 'on' : 'off';
  return { kind: `${kind}_${to}`, detail: `${name} turned ${to}`, facts: null };
}

function yieldAfter(before: number | null, after: number | null): PolicyEvent {
  const text = (ms: number | null): string => (ms === null ? 'auto' : `${ms / 1000} s`);
  const value = (ms: number | null): string | number => (ms === null ? 'auto' : ms / 1000);
  return {
    kind: 'yield_after',
    detail: `others give way to the first in the queue after ${text(after)}, before after ${text(before)}`,
    facts: { from: value(before), to: value(after) },
  };
}

function isSameThreshold(before: EffectivePolicy, after: EffectivePolicy): boolean {
  return before.spillThreshold === after.spillThreshold && before.thresholdSource === after.thresholdSource;
}

function spillThreshold(before: EffectivePolicy, after: EffectivePolicy): PolicyEvent {
  const text = (policy: EffectivePolicy): string =>
    policy.thresholdSource === 'auto' ? `${policy.spillThreshold} (auto)` : String(policy.spillThreshold);
  return {
    kind: 'spill_threshold',
    detail: `spill threshold changed from ${text(before)} to ${text(after)}`,
    facts: {
      from: before.spillThreshold,
      from_source: before.thresholdSource,
      to: after.spillThreshold,
      to_source: after.thresholdSource,
    },
  };
}
