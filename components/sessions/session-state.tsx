import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Pill } from '#components/ui/pill.tsx';
import type { SessionEntry } from '#lib/contract/activity.ts';
import { stateOf } from './session-filter.ts';

/** What a session is doing: waiting in the router (at which place, for how long), answering, or nothing. */
export function SessionState({ session }: { readonly session: SessionEntry }) {
  const t = useTranslations('sessions');
  const format = useFormat();
  const { held_seconds, queue_position, expected_wait_seconds, in_flight, displaced } = session;
  const state = stateOf(session);
  if (state === 'held') {
    const more = [
      queue_position === null ? null : t('held.place', { position: queue_position }),
      expected_wait_seconds === null
        ? null
        : t('held.about', { wait: format.secondsTick(Math.round(expected_wait_seconds)) }),
    ].filter((words) => words !== null);
    return (
      <span>
        <Pill tone="warn">{t('held.word')}</Pill>
        {more.length > 0 ? <span className="block text-xs">{more.join(', ')}</span> : null}
        <span className="block text-faint text-xs">
          {t('held.since', { time: format.secondsTick(Math.round(held_seconds ?? 0)) })}
        </span>
      </span>
    );
  }
  return (
    <span>
      <span className={state === 'active' ? 'text-ok' : 'text-muted'}>
        {state === 'active' ? t('inFlight', { count: format.exact(in_flight) }) : t('states.idle')}
      </span>
      {displaced > 0 ? (
        <span className="block text-faint text-xs">{t('held.displaced', { count: displaced })}</span>
      ) : null}
    </span>
  );
}
