import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import type { Health as HealthState } from '#lib/contract/models.ts';

const LOOKS = {
  up: { dot: 'bg-ok', ink: 'text-ok' },
  degraded: { dot: 'bg-warn', ink: 'text-warn' },
  down: { dot: 'bg-bad', ink: 'text-bad' },
  draining: { dot: 'bg-warn', ink: 'text-warn' },
} as const;

type Props = { readonly health: HealthState | 'draining'; readonly className?: string };

/** Health as a dot and a word: never by colour alone. */
export function Health({ health, className }: Props) {
  const t = useTranslations('ui.health');
  const { dot, ink } = LOOKS[health];
  return (
    <span className={clsx('inline-flex items-center gap-1.5 whitespace-nowrap font-medium', ink, className)}>
      <span aria-hidden="true" className={clsx('size-2 rounded-full', dot)} />
      {t(health)}
    </span>
  );
}
