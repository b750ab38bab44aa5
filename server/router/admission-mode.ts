import { type AdmissionSettings, DEFAULT_ADMISSION } from '#lib/cache-fit/types.ts';
import type { EffectivePolicy } from './policy.ts';

/**
 * `holding`: cache-fit is on. `watching`: it is off, and the working set is measured all the same. `inactive`: affinity
 * is off, so that no conversation has a replica of its own.
 */
export type AdmissionMode = 'holding' | 'watching' | 'inactive';

export function modeOf({ affinity, cacheFit }: EffectivePolicy): AdmissionMode {
  if (!affinity) return 'inactive';
  return cacheFit ? 'holding' : 'watching';
}

/** Where it does not hold, nothing may ever be held, and no conversation has to give up its place. */
export function settingsOf(mode: AdmissionMode, yieldAfterMs: number | null, maxHoldMs: number): AdmissionSettings {
  const settings = { ...DEFAULT_ADMISSION, yieldAfterMs, maxHoldMs };
  return mode === 'holding' ? settings : { ...settings, maxHeld: 0 };
}
