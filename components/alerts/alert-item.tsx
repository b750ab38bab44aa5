import clsx from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import type { AlertView } from '#lib/contract/alerts.ts';
import { useAlertWords } from './alert-words.ts';

const LOOKS = {
  critical: { Icon: CircleAlert, color: 'text-bad' },
  warning: { Icon: TriangleAlert, color: 'text-warn' },
  info: { Icon: Info, color: 'text-accent' },
} as const;
const OVER = { Icon: CircleCheck, color: 'text-ok' } as const;

/** One alert: what is wrong, since when, and what to do while it lasts. */
export function AlertItem({ alert }: { readonly alert: AlertView }) {
  const t = useTranslations('alerts');
  const { message, action } = useAlertWords()(alert);
  const { Icon, color } = alert.resolved_at === null ? LOOKS[alert.severity] : OVER;
  return (
    <li className="flex gap-3 py-3">
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', color)} />
      <div className="min-w-0 space-y-1">
        <p className={clsx('break-words', alert.resolved_at === null ? 'font-medium' : 'text-muted')}>
          <span className="sr-only">{t(`severity.${alert.severity}`)}: </span>
          {message}
        </p>
        {alert.resolved_at === null ? <p className="break-words text-muted">{action}</p> : null}
        <p className="text-faint text-xs">
          <Times alert={alert} />
        </p>
      </div>
    </li>
  );
}

function Times({ alert: { since, resolved_at } }: { readonly alert: AlertView }) {
  const t = useTranslations('alerts');
  const format = useFormat();
  if (resolved_at === null) return t.rich('began', { age: () => <Age time={since} /> });
  const duration = format.seconds((Date.parse(resolved_at) - Date.parse(since)) / 1000);
  return t.rich('lasted', { duration, age: () => <Age time={resolved_at} /> });
}
