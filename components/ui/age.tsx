import { useNow } from '#components/data/ticker.ts';
import { formatAge } from '#lib/format/duration.ts';
import { formatDateTime } from '#lib/format/time.ts';

/** How long ago a moment was, kept current; the exact time on hover. `time` is RFC 3339. */
export function Age({ time }: { readonly time: string }) {
  const now = useNow();
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={formatDateTime(at)} className="whitespace-nowrap tabular-nums">
      {now === null ? '' : formatAge(now - at)}
    </time>
  );
}
