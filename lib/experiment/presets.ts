import { autoSpillThreshold } from '#lib/routing/spill.ts';
import { PRESETS } from '#lib/simulation/profile.ts';
import type { Box } from './box.ts';
import type { PolicyName } from './policy.ts';
import type { WorkloadNumbers } from './synthetic-workload.ts';

/** A box with the load it was measured under. */
export type ExperimentPreset = {
  readonly box: Box;
  readonly workload: WorkloadNumbers;
  readonly policies: readonly PolicyName[];
  readonly steps: readonly number[];
};

/**
 * `a4000x4`: the reference measurement (four A4000, Qwen3-4B, sessions of six turns without pauses, clients across the
 * internet). `rtx5090x7`: the story of seven cards (a 27B model as seven replicas of 156k tokens, headless agents with
 * contexts of 58k tokens on average; what it does not tell, here the pauses and the turns, is set to typical values).
 */
export const EXPERIMENT_PRESETS = {
  a4000x4: {
    box: {
      profile: PRESETS.a4000x4,
      replicas: 4,
      apiServers: 4,
      spillThreshold: autoSpillThreshold(PRESETS.a4000x4.maxNumSeqs),
      roundTripMs: 150,
    },
    workload: {
      systemTokens: 3500,
      firstMessageTokens: { least: 7200, most: 7500 },
      turns: 6,
      turnTokens: { least: 400, most: 400 },
      outputTokens: { least: 256, most: 256 },
      thinkSeconds: { least: 0, most: 0 },
      subagents: 0,
      subagentTurns: 4,
    },
    policies: ['off', 'affinity'],
    steps: [4, 8, 16, 24, 32],
  },
  rtx5090x7: {
    box: {
      profile: PRESETS.rtx5090x7,
      replicas: 7,
      apiServers: 7,
      spillThreshold: autoSpillThreshold(PRESETS.rtx5090x7.maxNumSeqs),
      roundTripMs: 2,
    },
    workload: {
      systemTokens: 18_000,
      firstMessageTokens: { least: 20_000, most: 26_000 },
      turns: 16,
      turnTokens: { least: 800, most: 3200 },
      outputTokens: { least: 100, most: 400 },
      thinkSeconds: { least: 0, most: 5 },
      subagents: 0,
      subagentTurns: 4,
    },
    policies: ['hash', 'affinity'],
    steps: [16, 26],
  },
} as const satisfies Record<string, ExperimentPreset>;

export type ExperimentPresetName = keyof typeof EXPERIMENT_PRESETS;
