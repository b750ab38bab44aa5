import type { BenchmarkPlan, BenchmarkProgress, BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { formatSeconds } from '#lib/format/duration.ts';

export const POLICY_WORDS: Readonly<Record<string, string>> = { off: 'off', affinity: 'on' };

export const STATUS: Readonly<
  Record<
    BenchmarkSummary['status'],
    { readonly word: string; readonly tone: 'plain' | 'accent' | 'ok' | 'warn' | 'bad' }
  >
> = {
  running: { word: 'Running', tone: 'accent' },
  finished: { word: 'Finished', tone: 'ok' },
  cancelled: { word: 'Cancelled', tone: 'plain' },
  failed: { word: 'Failed', tone: 'bad' },
  interrupted: { word: 'Interrupted', tone: 'warn' },
};

export const WORKLOAD_WORDS: Readonly<Record<BenchmarkPlan['workload'], string>> = {
  reference: 'reference load',
  'claude-code': 'Claude Code load',
  trace: 'recorded conversations',
};

/** A length that was chosen in whole seconds, or is only about right: "20 s", "4 min 48 s". */
export function wholeSeconds(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)} s` : formatSeconds(seconds);
}

/** "Affinity on, 8 sessions: measuring" */
export function progressWords({ policy, sessions, phase }: BenchmarkProgress): string {
  const doing = { settling: 'waiting for the engine', warming: 'warming up', measuring: 'measuring' }[phase];
  return `Affinity ${POLICY_WORDS[policy] ?? policy}, ${sessionWords(sessions)}: ${doing}`;
}

/** "1 session", "8 sessions" */
export function sessionWords(sessions: number): string {
  return `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`;
}
