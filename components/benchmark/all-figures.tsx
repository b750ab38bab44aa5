import { useMemo } from 'react';
import { ChartTable } from '#components/charts/chart-table.tsx';
import { fileName } from '#components/charts/file-name.ts';
import { Card } from '#components/ui/card.tsx';
import type { BenchmarkReport, BenchmarkRow } from '#lib/contract/benchmark.ts';
import { policyWord, useWords, type Words } from './words.ts';

type Name = Exclude<keyof BenchmarkRow, 'policy'>;
type Shown = {
  readonly name: Name;
  readonly header: string;
  readonly unit?: string;
  readonly format: (value: number) => string;
};

function shownColumns({ t, format }: Words): readonly Shown[] {
  const whole = (value: number) => format.exact(Math.round(value));
  const percent = (value: number) => format.percent(value);
  const median = t('units.median');
  return [
    { name: 'sessions', header: t('columns.sessions'), format: whole },
    { name: 'turns', header: t('columns.turns'), unit: t('units.n'), format: format.exact },
    { name: 'sessions_per_hour', header: t('columns.perHour'), format: whole },
    { name: 'output_tokens_per_minute', header: t('columns.output'), unit: t('units.tokensPerMinute'), format: whole },
    { name: 'ttfb_p50_seconds', header: t('columns.p50'), format: format.seconds },
    { name: 'ttfb_p95_seconds', header: t('columns.p95'), format: format.seconds },
    { name: 'ttfb_p99_seconds', header: t('columns.p99'), format: format.seconds },
    { name: 'ttfb_mean_seconds', header: t('columns.mean'), format: format.seconds },
    { name: 'ttfb_max_seconds', header: t('columns.max'), format: format.seconds },
    { name: 'ttfb_first_p50_seconds', header: t('columns.first'), unit: median, format: format.seconds },
    { name: 'ttfb_continuing_p50_seconds', header: t('columns.later'), unit: median, format: format.seconds },
    { name: 'session_p50_seconds', header: t('columns.session'), unit: median, format: format.seconds },
    { name: 'replicas_busy', header: t('columns.busy'), unit: t('units.replicas'), format: format.compact },
    { name: 'prefix_hit_percent', header: t('columns.hits'), format: percent },
    { name: 'stayed_percent', header: t('columns.stayed'), format: percent },
  ];
}

/** Every number of a report, a row per setting and step, and as a file; the spread where steps were repeated. */
export function AllFigures({ report, id }: { readonly report: BenchmarkReport; readonly id: number }) {
  const words = useWords();
  const { t } = words;
  const shown = useMemo(() => shownColumns(words), [words]);
  const repeated = report.plan.repeats > 1;
  return (
    <Card title={t('all.title')} note={repeated ? t('all.note') : null} flush>
      <ChartTable
        caption={t('all.title')}
        file={`${fileName('benchmark', String(id))}.csv`}
        columns={[
          { name: 'policy', header: t('columns.setting') },
          ...shown.map(({ name, header, unit }) => ({ name, header, ...(unit === undefined ? {} : { unit }) })),
        ]}
        rows={report.rows.flatMap((row, index) => {
          const spread = report.spread[index] ?? null;
          const setting = policyWord(row.policy, words);
          const own = {
            key: `${row.policy} ${row.sessions}`,
            text: [setting, ...shown.map((one) => text(one, row))],
            raw: [row.policy, ...shown.map(({ name }) => row[name])],
          };
          if (spread === null) return [own];
          const range = (end: 'least' | 'most') => ({
            key: `${own.key} ${end}`,
            text: [t(`all.${end}`, { setting }), ...shown.map((one) => text(one, spread[end]))],
            raw: [`${row.policy}, ${end}`, ...shown.map(({ name }) => spread[end][name])],
          });
          return [own, range('least'), range('most')];
        })}
      />
    </Card>
  );
}

function text({ name, format }: Shown, row: BenchmarkRow): string {
  const value = row[name];
  return value === null ? '—' : format(value);
}
