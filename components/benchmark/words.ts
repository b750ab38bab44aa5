import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '#components/language/use-format.ts';
import type { Tone } from '#components/ui/pill.tsx';
import type { BenchmarkSummary } from '#lib/contract/benchmark.ts';

/** The words of this page and the reader's numbers, for what is written outside of components. */
export type Words = { readonly t: ReturnType<typeof useTranslations<'benchmark'>>; readonly format: Format };

/** The same object as long as the language stays. */
export function useWords(): Words {
  const t = useTranslations('benchmark');
  const format = useFormat();
  return useMemo(() => ({ t, format }), [t, format]);
}

export const STATUS_TONES: Readonly<Record<BenchmarkSummary['status'], Tone>> = {
  running: 'accent',
  finished: 'ok',
  cancelled: 'plain',
  failed: 'bad',
  interrupted: 'warn',
};

const POLICIES = ['off', 'affinity', 'cache-fit'] as const;

/** A setting that was measured; one that this version does not know by its own name. */
export function policyWord(policy: string, { t }: Words): string {
  const known = POLICIES.find((one) => one === policy);
  return known === undefined ? policy : t(`policies.${known}`);
}

/** A length that was chosen in whole seconds, or is only about right: "20 s", "4 min 48 s". */
export function wholeSeconds(seconds: number, { t, format }: Words): string {
  return seconds < 60 ? t('seconds', { seconds: format.exact(Math.ceil(seconds)) }) : format.seconds(seconds);
}

/** "1 session", "8 sessions" */
export function sessionWords(sessions: number, { t, format }: Words): string {
  return t('sessions', { count: sessions, sessions: format.exact(sessions) });
}
