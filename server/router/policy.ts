import type { ModelConfig } from '#lib/config/schema.ts';
import { autoSpillThreshold } from '#lib/routing/spill.ts';
import type { RoutingPolicy } from '#lib/routing/types.ts';
import type { ModelSetting } from '#server/store/store.ts';

/**
 * What vLLM itself takes on cards below 70 GiB when --max-num-seqs is not given (vLLM 0.28). No metric tells the real
 * value, so this is what the automatic threshold is made from until the configuration says better.
 */
export const ASSUMED_MAX_NUM_SEQS = 256;

/** The policy in force, with where its parts come from. */
export type EffectivePolicy = RoutingPolicy & {
  readonly thresholdSource: 'auto' | 'setting';
  readonly maxNumSeqs: number | null;
  readonly maxNumSeqsSource: 'config' | 'engine' | 'assumed';
  /** What the automatic threshold is, whether it is in force or not. */
  readonly autoThreshold: number;
  /** Cache-fit admission is wanted; it works where affinity is on as well. */
  readonly cacheFit: boolean;
  /** Null: from the measured rate of turns. */
  readonly yieldAfterMs: number | null;
};

/** Nothing was changed in the console. */
export const NO_SETTING: ModelSetting = { affinity: null, spillThreshold: null, cacheFit: null, yieldAfterMs: null };

/** The console's edits win over the configuration; `engineMaxNumSeqs` is null where the engine does not tell. */
export function effectivePolicy(
  config: ModelConfig,
  setting: ModelSetting,
  engineMaxNumSeqs: number | null,
): EffectivePolicy {
  const maxNumSeqs = config.max_num_seqs ?? engineMaxNumSeqs;
  const threshold = setting.spillThreshold ?? config.spill_threshold;
  const autoThreshold = autoSpillThreshold(maxNumSeqs ?? ASSUMED_MAX_NUM_SEQS);
  const yieldAfterMs = setting.yieldAfterMs ?? inMs(config.yield_after_seconds);
  return {
    affinity: setting.affinity ?? config.affinity,
    cacheFit: setting.cacheFit ?? config.cache_fit,
    yieldAfterMs: yieldAfterMs === 'auto' ? null : yieldAfterMs,
    autoThreshold,
    spillThreshold: threshold === 'auto' ? autoThreshold : threshold,
    thresholdSource: threshold === 'auto' ? 'auto' : 'setting',
    maxNumSeqs,
    maxNumSeqsSource: maxNumSeqs === null ? 'assumed' : config.max_num_seqs === undefined ? 'engine' : 'config',
  };
}

const inMs = (seconds: number | 'auto'): number | 'auto' => (seconds === 'auto' ? seconds : seconds * 1000);
