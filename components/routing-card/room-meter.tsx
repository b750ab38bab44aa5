import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { ReplicaRoom } from '#lib/contract/admission.ts';

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;

/** One replica's cache: what is kept there now, all that live there, and where the cache ends. The text says the same. */
export function RoomMeter({ room }: { readonly room: ReplicaRoom }) {
  const t = useTranslations('model.routing.cacheFit');
  const { compact, exact } = useFormat();
  const { capacity_tokens: capacity, working_set_tokens: kept, alive_tokens: alive } = room;
  const over = capacity === null ? 0 : Math.max(0, alive - capacity);
  const values = { tokens: compact(kept), capacity: compact(capacity ?? 0) };
  const conversations = { conversations: room.alive_conversations, tokens: compact(alive) };
  return (
    <li className="min-w-0 text-xs">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{t('replica', { replica: String(room.replica) })}</span>
        <span className="text-muted tabular-nums" title={capacity === null ? undefined : exact(capacity)}>
          {capacity === null ? t('roomUnknown', values) : t(room.capacity_learned ? 'roomLearned' : 'room', values)}
        </span>
      </p>
      <Bars kept={kept} alive={alive} capacity={capacity} />
      <p className={clsx('mt-1 tabular-nums', over > 0 ? 'text-warn' : 'text-muted')}>
        {over > 0 ? t('aliveOver', { ...conversations, over: compact(over) }) : t('alive', conversations)}
      </p>
    </li>
  );
}

type Bars = { readonly kept: number; readonly alive: number; readonly capacity: number | null };

/** Drawn to the larger of the cache and what lives there, so that what does not fit stands beyond the mark. */
function Bars({ kept, alive, capacity }: Bars) {
  const t = useTranslations('model.routing.cacheFit');
  const whole = Math.max(1, capacity ?? 0, alive, kept);
  const end = capacity === null ? 1 : capacity / whole;
  return (
    <div aria-hidden="true" title={t('meter')} className="relative mt-1.5 h-3">
      <span className="absolute inset-y-0.5 left-0 rounded-sm bg-line" style={{ width: percent(end) }} />
      <span
        className="absolute inset-y-0.5 left-0 rounded-sm border border-accent bg-accent-soft"
        style={{ width: percent(alive / whole) }}
      />
      <span className="absolute inset-y-0.5 left-0 rounded-sm bg-accent" style={{ width: percent(kept / whole) }} />
      {end < 1 ? (
        <span className="absolute inset-y-0.5 right-0 rounded-r-sm bg-warn" style={{ left: percent(end) }} />
      ) : null}
      {capacity === null ? null : (
        <span className="absolute inset-y-0 w-0.5 -translate-x-full bg-ink" style={{ left: percent(end) }} />
      )}
    </div>
  );
}

/** What the parts of the meters mean. */
export function RoomLegend() {
  const t = useTranslations('model.routing.cacheFit');
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      <Part mark="h-2 w-4 rounded-sm bg-accent" name={t('legendKept')} />
      <Part mark="h-2 w-4 rounded-sm border border-accent bg-accent-soft" name={t('legendAlive')} />
      <Part mark="h-3 w-0.5 bg-ink" name={t('legendCapacity')} />
    </ul>
  );
}

function Part({ mark, name }: { readonly mark: string; readonly name: string }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={clsx('inline-block', mark)} />
      {name}
    </li>
  );
}
