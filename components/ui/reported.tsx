import { useTranslations } from 'use-intl';

type Props<T> = {
  readonly value: T | null;
  readonly format: (value: T) => string;
  /** Why it may be missing, for the tooltip; that the engine does not report it where nothing is said. */
  readonly why?: string;
};

/** A value that may be unknown: a dash that reads "not reported", never a 0. */
export function Reported<T>({ value, format, why }: Props<T>) {
  const t = useTranslations('ui');
  if (value !== null) return <span className="whitespace-nowrap tabular-nums">{format(value)}</span>;
  return (
    <span title={why ?? t('notReportedByEngine')} className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">{t('notReported')}</span>
    </span>
  );
}
