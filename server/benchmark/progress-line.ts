import type { BenchmarkProgress } from '#lib/contract/benchmark.ts';
import { formatSeconds } from '#lib/format/duration.ts';

const BAR = 24;

/** The progress as one line of a terminal. */
export function progressLine({ cell, cells, policy, sessions, phase, ...rest }: BenchmarkProgress): string {
  const filled = Math.round((rest.done_percent / 100) * BAR);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}]`;
  const failed = rest.errors > 0 ? `, ${rest.errors} failed` : '';
  const seconds = Math.ceil(rest.left_seconds);
  const left = seconds < 60 ? `${seconds} s` : formatSeconds(seconds);
  return `${bar} ${cell + 1}/${cells} ${policy} at ${sessions}, ${phase}: ${rest.turns} turns${failed}; ${left} left`;
}
