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
};

/** The console's edits win over the configuration; `engineMaxNumSeqs` is null where the engine does not tell. */
export function effectivePolicy(
  config: ModelConfig,
  setting: ModelSetting,
  engineMaxNumSeqs: number | null,
): EffectivePolicy {
  const maxNumSeqs = config.max_num_seqs ?? engineMaxNumSeqs;
  const threshold = setting.spillThreshold ?? config.spill_threshold;
  return {
    affinity: setting.affinity ?? config.affinity,
    spillThreshold: threshold === 'auto' ? autoSpillThreshold(maxNumSeqs ?? ASSUMED_MAX_NUM_SEQS) : threshold,
    thresholdSource: threshold === 'auto' ? 'auto' : 'setting',
    maxNumSeqs,
    maxNumSeqsSource: maxNumSeqs === null ? 'assumed' : config.max_num_seqs === undefined ? 'engine' : 'config',
  };
}
