import { useTicking } from '#components/data/ticker.ts';
import { useFormat } from '#components/language/use-format.ts';

/** How long ago a moment was, kept current; the exact time on hover. `time` is RFC 3339. */
export function Age({ time }: { readonly time: string }) {
  const format = useFormat();
  const at = Date.parse(time);
  const age = useTicking((now) => format.age(now - at));
  return (
    <time dateTime={time} title={format.dateTime(at)} className="whitespace-nowrap tabular-nums">
      {age}
    </time>
  );
}
