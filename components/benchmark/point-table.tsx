import { ChartTable } from '#components/charts/chart-table.tsx';
import type { SeriesEntry, SeriesKey } from './policy-chart.tsx';
import type { Point } from './series.ts';
import { useWords } from './words.ts';

type Props = {
  readonly title: string;
  readonly file: string;
  readonly points: readonly Point[];
  readonly series: readonly SeriesEntry[];
};

/** Of machines and spreadsheets: the same in every language. */
const COLUMNS: Partial<Record<SeriesKey, string>> = { off: 'off', on: 'affinity', fit: 'cache-fit' };

/** The points of the distribution of waits: a row for each percent of the turns. */
export function PointTable({ title, file, points, series }: Props) {
  const { t, format } = useWords();
  const text = (value: number | null) => (value === null ? '—' : format.seconds(value));
  return (
    <ChartTable
      caption={title}
      file={`${file}.csv`}
      columns={[
        { name: 'turns_percent', header: t('distribution.turns') },
        ...series.map(({ key, label }) => ({ name: `${COLUMNS[key] ?? key}_ttfb_seconds`, header: label })),
      ]}
      rows={points.map((point) => ({
        key: String(point.x),
        text: [format.percent(point.x, 0), ...series.map(({ key }) => text(point[key]))],
        raw: [point.x, ...series.map(({ key }) => point[key])],
      }))}
    />
  );
}
