import { useNow } from '#components/data/ticker.ts';
import { useFormat } from '#components/language/use-format.ts';

/** How long ago a moment was, kept current; the exact time on hover. `time` is RFC 3339. */
export function Age({ time }: { readonly time: string }) {
  const format = useFormat();
  const now = useNow();
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={format.dateTime(at)} className="whitespace-nowrap tabular-nums">
      {now === null ? '' : format.age(now - at)}
    </time>
  );
}
