import { createHitShareRule } from './hit-share.ts';
import { createKeysRule, createRestartRule, diskNearlyFull, engineDown, workingSet } from './plain-rules.ts';
import { createStuckRule } from './replica-stuck.ts';
import type { Condition, Observation } from './types.ts';

/** All rules, each with what it remembers of the looks before. To be asked every few seconds. */
export function createAlertRules(): (observation: Observation) => readonly Condition[] {
  const stuck = createStuckRule();
  const hitShare = createHitShareRule();
  const restarted = createRestartRule();
  const keys = createKeysRule();
  return (observation) => [
    ...engineDown(observation),
    ...stuck(observation.replicas, observation.at),
    ...diskNearlyFull(observation),
    ...keys(observation),
    ...hitShare(observation.models, observation.at),
    ...workingSet(observation),
    ...restarted(observation),
  ];
}
