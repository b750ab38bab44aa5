import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { AlertView } from '#lib/contract/alerts.ts';

const MEGABYTE = 1024 ** 2;

/** What is wrong and what to do about it, in the reader's language. */
export function useAlertWords(): (alert: AlertView) => { readonly message: string; readonly action: string } {
  const t = useTranslations('alerts');
  const format = useFormat();
  return ({ code, model, replica, url, values }) => {
    const value = (name: string): number => values[name] ?? 0;
    return {
      action: t(`action.${code}`),
      message: t(`message.${code}`, {
        model: model ?? '',
        replica: String(replica ?? ''),
        url: url ?? '',
        whole: value('whole_model') === 1 ? 'yes' : 'no',
        waiting: value('waiting'),
        time: format.seconds(value('seconds')),
        free: format.bytes(value('free_mb') * MEGABYTE),
        refused: format.exact(value('refused')),
        percent: format.percent(value('percent'), 0),
        usual: format.percent(value('usual_percent'), 0),
        tokens: format.compact(value('tokens')),
        capacity: format.compact(value('capacity_tokens')),
      }),
    };
  };
}
