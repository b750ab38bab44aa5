import { ChartTable } from '#components/charts/chart-table.tsx';
import { fileName } from '#components/charts/file-name.ts';
import { Card } from '#components/ui/card.tsx';
import type { BenchmarkReport, BenchmarkRow } from '#lib/contract/benchmark.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatExact } from '#lib/format/tokens.ts';
import { POLICY_WORDS } from './words.ts';

type Name = Exclude<keyof BenchmarkRow, 'policy'>;
type Shown = {
  readonly name: Name;
  readonly header: string;
  readonly unit?: string;
  readonly format: (value: number) => string;
};

const whole = (value: number) => formatExact(Math.round(value));

const SHOWN: readonly Shown[] = [
  { name: 'sessions', header: 'Sessions', format: whole },
  { name: 'turns', header: 'Turns', unit: 'n', format: formatExact },
  { name: 'sessions_per_hour', header: 'Sessions/h', format: whole },
  { name: 'output_tokens_per_minute', header: 'Output', unit: 'tokens/min', format: whole },
  { name: 'ttfb_p50_seconds', header: 'First byte p50', format: formatSeconds },
  { name: 'ttfb_p95_seconds', header: 'First byte p95', format: formatSeconds },
  { name: 'ttfb_p99_seconds', header: 'First byte p99', format: formatSeconds },
  { name: 'ttfb_mean_seconds', header: 'First byte mean', format: formatSeconds },
  { name: 'ttfb_max_seconds', header: 'Longest wait', format: formatSeconds },
  { name: 'ttfb_first_p50_seconds', header: 'First turns', unit: 'median', format: formatSeconds },
  { name: 'ttfb_continuing_p50_seconds', header: 'Later turns', unit: 'median', format: formatSeconds },
  { name: 'session_p50_seconds', header: 'Session', unit: 'median', format: formatSeconds },
  { name: 'replicas_busy', header: 'Busy', unit: 'replicas', format: (value) => value.toFixed(2) },
  { name: 'prefix_hit_percent', header: 'Prefix hits', format: formatPercent },
  { name: 'stayed_percent', header: 'Stayed', format: formatPercent },
];

/** Every number of a report, a row per setting and step, and as a file; the spread where steps were repeated. */
export function AllFigures({ report, id }: { readonly report: BenchmarkReport; readonly id: number }) {
  const repeated = report.plan.repeats > 1;
  return (
    <Card title="All figures" note={repeated ? 'means; below them the least and the most of the repeats' : null} flush>
      <ChartTable
        caption="All figures"
        file={`${fileName('benchmark', String(id))}.csv`}
        columns={[
          { name: 'policy', header: 'Affinity' },
          ...SHOWN.map(({ name, header, unit }) => ({ name, header, ...(unit === undefined ? {} : { unit }) })),
        ]}
        rows={report.rows.flatMap((row, index) => {
          const spread = report.spread[index] ?? null;
          const own = {
            key: `${row.policy} ${row.sessions}`,
            text: [POLICY_WORDS[row.policy] ?? row.policy, ...SHOWN.map((shown) => text(shown, row))],
            raw: [row.policy, ...SHOWN.map(({ name }) => row[name])],
          };
          if (spread === null) return [own];
          const range = (name: 'least' | 'most') => ({
            key: `${own.key} ${name}`,
            text: [
              `${POLICY_WORDS[row.policy] ?? row.policy}, ${name}`,
              ...SHOWN.map((shown) => text(shown, spread[name])),
            ],
            raw: [`${row.policy}, ${name}`, ...SHOWN.map((shown) => spread[name][shown.name])],
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
