import type { TokenSeries, WindowName } from '#lib/contract/series.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatClock, formatMoment } from '#lib/format/time.ts';
import { formatCompact } from '#lib/format/tokens.ts';
import { RANGE_WORDS } from './range-words.ts';
import type { TokenBar } from './token-bars.ts';

type Shares = Pick<TokenSeries, 'window' | 'cache_hit_percent'>;

/** The upper chart in one sentence, for those who do not see it. */
export function promptSentence(bars: readonly TokenBar[], shares: Shares, timeZone?: string): string {
  const range = RANGE_WORDS[shares.window];
  const highest = peak(bars, (bar) => bar.cached + bar.computed);
  if (highest === null) return `Prompt tokens per second over ${range}: none.`;
  const cached =
    shares.cache_hit_percent === null
      ? 'How much of it was cached is not reported.'
      : `${formatPercent(shares.cache_hit_percent, 0)} of the measured prompt tokens were cached.`;
  return `Prompt tokens per second over ${range}: ${describe(highest, bars, shares.window, timeZone)}. ${cached}`;
}

/** The lower chart in one sentence. */
export function completionSentence(bars: readonly TokenBar[], window: WindowName, timeZone?: string): string {
  const highest = peak(bars, (bar) => bar.completion);
  const what = highest === null ? 'none' : describe(highest, bars, window, timeZone);
  return `Completion tokens per second over ${RANGE_WORDS[window]}: ${what}.`;
}

type Peak = { readonly time: number; readonly value: number };

function describe(highest: Peak, bars: readonly TokenBar[], window: WindowName, timeZone?: string): string {
  const isLong = window === '7d' || window === '30d';
  const at = isLong
    ? formatMoment(highest.time, bars.at(-1)?.time ?? highest.time, timeZone)
    : formatClock(highest.time, timeZone);
  return `at most ${formatCompact(highest.value)}, at ${at}`;
}

function peak(bars: readonly TokenBar[], of: (bar: TokenBar) => number): Peak | null {
  let highest: Peak | null = null;
  for (const bar of bars) {
    const value = of(bar);
    if (value > (highest?.value ?? 0)) highest = { time: bar.time, value };
  }
  return highest;
}
