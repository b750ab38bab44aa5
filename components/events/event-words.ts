import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { EventList } from '#lib/contract/activity.ts';

export type ModelEvent = EventList['events'][number];

/** An event in the reader's language where its kind and values are known, else as the router wrote it. */
export function useEventWords(): (event: ModelEvent) => string {
  const t = useTranslations('model.events');
  const format = useFormat();
  return ({ kind, detail, facts }) => {
    const asWritten = detail || kind.replaceAll('_', ' ');
    const text = (name: string): string | null => {
      const value = facts?.[name];
      return value === undefined ? null : String(value);
    };
    const url = text('url');
    const replica = text('replica');
    switch (kind) {
      case 'affinity_on':
        return t('affinityOn');
      case 'affinity_off':
        return t('affinityOff');
      case 'cache_fit_on':
        return t('cacheFitOn');
      case 'cache_fit_off':
        return t('cacheFitOff');
      case 'spill_threshold': {
        const [from, to] = [text('from'), text('to')];
        if (from === null || to === null) return asWritten;
        const value = (number: string, source: string | null) =>
          source === 'auto' ? t('auto', { value: number }) : number;
        return t('threshold', { from: value(from, text('from_source')), to: value(to, text('to_source')) });
      }
      case 'yield_after': {
        const [from, to] = [text('from'), text('to')];
        if (from === null || to === null) return asWritten;
        const time = (value: string) => (value === 'auto' ? value : format.seconds(Number(value)));
        return t('yieldAfter', { from: time(from), to: time(to) });
      }
      case 'engine_restarted':
        return url === null ? asWritten : t('restarted', { url });
      case 'engine_up':
        return url === null ? asWritten : t('up', { url });
      case 'engine_down':
        return url === null ? asWritten : t('down', { url, error: text('error') ?? '' });
      case 'drain':
        return replica === null ? asWritten : t('drain', { replica });
      case 'undrain':
        return replica === null ? asWritten : t('undrain', { replica });
      case 'session_moved': {
        const [session, from, to] = [text('session'), text('from'), text('to')];
        return session === null || from === null || to === null ? asWritten : t('sessionMoved', { session, from, to });
      }
      case 'session_forgotten': {
        const session = text('session');
        return session === null ? asWritten : t('sessionForgotten', { session });
      }
      case 'model_added':
        return t('added');
      case 'model_changed':
        return t('changed');
      case 'model_removed':
        return t('removed');
      default:
        return asWritten;
    }
  };
}
