import { useNow } from '#components/data/ticker.ts';
import { Age } from '#components/ui/age.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { formatDateTime, formatMoment } from '#lib/format/time.ts';
import { formatExact } from '#lib/format/tokens.ts';

/** Since when the counters count, what they count beside the rows, and how old the engine's own numbers are. */
export function CountingLine({ state }: { readonly state: RoutingState }) {
  const now = useNow();
  const since = Date.parse(state.since);
  const { spilled, failed_over, balanced, unrouted } = state.totals;
  const others = [
    `${formatExact(spilled)} spilled`,
    failed_over > 0 ? `${formatExact(failed_over)} failed over` : null,
    `${formatExact(balanced)} balanced (no session key, or a side request)`,
    `${formatExact(unrouted)} unrouted`,
  ].filter((part) => part !== null);
  return (
    <footer className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-t px-4 py-2.5 text-muted text-xs tabular-nums">
      <p title={formatDateTime(since)}>
        Counting since {now === null ? '…' : formatMoment(since, now)} · {others.join(' · ')}
      </p>
      {state.engine.scraped_at === null ? null : (
        <p>
          Running, waiting, KV and hits: the engine's, read <Age time={state.engine.scraped_at} />
        </p>
      )}
    </footer>
  );
}
