import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { ChartTable } from './chart-table.tsx';
import type { ChartPoint, ChartSeries } from './series.ts';

type Props = {
  readonly title: string;
  readonly file: string;
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
};

/** The numbers of a chart, newest first; beside each that of the period before, where that is compared. */
export function SeriesTable({ title, file, series, points }: Props) {
  const t = useTranslations('charts');
  const format = useFormat();
  const compared = points.some(({ before }) => before !== null);
  const text = ({ format: write }: ChartSeries, value: number | null | undefined) =>
    value === null || value === undefined ? '—' : write(value);
  return (
    <ChartTable
      caption={t('table', { title })}
      file={`${file}.csv`}
      columns={[
        { name: 'time', header: t('bucketStarts') },
        ...series.flatMap(({ column, label, unit }) => {
          const own = { name: column, header: label, ...(unit === undefined ? {} : { unit }) };
          return compared ? [own, { name: `before_${column}`, header: t('labelBefore', { label }) }] : [own];
        }),
      ]}
      rows={points.toReversed().map(({ time, values, before }) => ({
        key: String(time),
        text: [
          format.dateTime(time),
          ...series.flatMap((one) => {
            const own = text(one, values[one.key]);
            return compared ? [own, text(one, before?.[one.key])] : [own];
          }),
        ],
        raw: [
          new Date(time).toISOString(),
          ...series.flatMap(({ key }) => {
            const own = values[key] ?? null;
            return compared ? [own, before?.[key] ?? null] : [own];
          }),
        ],
      }))}
    />
  );
}
