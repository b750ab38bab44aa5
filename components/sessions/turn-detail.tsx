import { useTranslations } from 'use-intl';
import { useMiss } from '#components/activity/use-miss.ts';
import { useReason } from '#components/activity/use-reason.ts';
import { useFormat } from '#components/language/use-format.ts';
import { finishedAt } from '#components/requests/finished-at.ts';
import { Age } from '#components/ui/age.tsx';
import { Decision } from '#components/ui/decision.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import type { TurnPlace } from './turn-place.ts';
import { useTurnName } from './use-turn-name.ts';

/** One turn in words: where it went and why, what it read from the cache, how long it took, why it missed. */
export function TurnDetail({ turn, place }: { readonly turn: RequestEntry; readonly place: TurnPlace }) {
  const t = useTranslations('sessions.panel');
  const { name } = useTurnName();
  const reason = useReason();
  const miss = useMiss()(turn.miss, turn.miss_code);
  const replica = turn.replica === null ? t('onEngines') : t('onReplica', { replica: String(turn.replica) });
  return (
    <div className="mt-3 min-h-28 rounded-md border border-line px-3 py-2.5">
      {/* Beside what is announced, which would otherwise be spoken anew as the age goes on. */}
      <span className="float-right ml-2.5 text-muted text-xs">
        <Age time={finishedAt(turn)} />
      </span>
      <div role="status">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <b>{name(place)}</b>
          <span>{replica}</span>
          <Decision kind={turn.decision} />
        </p>
        <p className="mt-1 text-muted">{reason(turn)}</p>
        <p className="mt-1 tabular-nums">
          <Measured turn={turn} />
        </p>
        {miss === null ? null : <p className="mt-1 text-warn">{miss}</p>}
      </div>
    </div>
  );
}

function Measured({ turn }: { readonly turn: RequestEntry }) {
  const t = useTranslations('sessions.panel');
  const words = useTranslations('requests');
  const format = useFormat();
  const { prompt_tokens: prompt, cached_tokens: cached, ttfb_seconds, duration_seconds, queued_seconds } = turn;
  const parts = [
    prompt === null ? t('noPrompt') : t('promptTokens', { tokens: format.exact(prompt) }),
    prompt === null || cached === null || prompt === 0
      ? t('noShare')
      : t('cachedShare', { share: format.percent((100 * cached) / prompt, 0) }),
    queued_seconds !== null && queued_seconds > 0
      ? words('table.held', { time: format.seconds(queued_seconds) })
      : null,
    ttfb_seconds === null
      ? words('table.noByte')
      : `${words('table.firstByte')} ${format.seconds(ttfb_seconds)} ${words('table.of', { time: format.seconds(duration_seconds) })}`,
    turn.outcome === 'ok' && turn.status < 400 ? null : `${turn.status}, ${words(`outcomes.${turn.outcome}`)}`,
  ];
  return <>{parts.filter((part) => part !== null).join(' · ')}</>;
}
