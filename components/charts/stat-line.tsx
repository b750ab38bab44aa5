import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Reported } from '#components/ui/reported.tsx';

/** A number of a whole window. `kind`: how it is compared, amounts by their ratio, shares (percent) by their difference. */
export type Figure = {
  readonly key: string;
  readonly label: string;
  readonly value: number | null;
  readonly kind: 'amount' | 'share';
  readonly format: (value: number) => string;
};

type Props = { readonly figures: readonly Figure[]; readonly before: readonly Figure[] | null };

/** The numbers of a window in a line, with those of the period before and the difference. */
export function Figures({ figures, before }: Props) {
  const t = useTranslations('charts');
  if (figures.length === 0) return null;
  return (
    <dl className="mb-1.5 grid grid-cols-2 gap-x-6 gap-y-1.5 sm:flex sm:flex-wrap">
      {figures.map((figure) => {
        const earlier = before?.find(({ key }) => key === figure.key);
        return (
          <div key={figure.key} className="min-w-0">
            <dt className="text-faint text-xs">{figure.label}</dt>
            <dd className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
              <span className="font-medium">
                <Reported value={figure.value} format={figure.format} why={t('nothingMeasured')} />
              </span>
              {earlier === undefined ? null : (
                <span className="text-muted text-xs">
                  {t('was')} <Reported value={earlier.value} format={figure.format} why={t('nothingMeasured')} />{' '}
                  <Change figure={figure} before={earlier.value} />
                </span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Change({ figure: { value, kind }, before }: { readonly figure: Figure; readonly before: number | null }) {
  const t = useTranslations('charts');
  const format = useFormat();
  if (value === null || before === null) return null;
  if (kind === 'share') {
    const points = value - before;
    const text = `${signOf(points)}${format.exact(Math.abs(points))}`;
    return <span className="font-medium">({t('points', { points: text })})</span>;
  }
  if (before === 0) return null;
  const percent = (100 * (value - before)) / before;
  return (
    <span className="font-medium">
      ({signOf(percent)}
      {format.percent(Math.abs(percent), Math.abs(percent) < 10 ? 1 : 0)})
    </span>
  );
}

function signOf(value: number): string {
  if (value === 0) return '±';
  return value > 0 ? '+' : '−';
}
