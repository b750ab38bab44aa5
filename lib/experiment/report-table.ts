import { REFERENCE_MEASUREMENT } from './reference-measurement.ts';
import type { ReportRow } from './report.ts';
import type { ExperimentReport } from './run-experiment.ts';

type Column = { readonly title: string; readonly text: (row: ReportRow) => string };

const number = (value: number | null, digits: number): string =>
  value === null
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const COLUMNS: readonly Column[] = [
  { title: 'policy', text: (row) => row.policy },
  { title: 'sessions', text: (row) => String(row.sessions) },
  { title: 'sessions/h', text: (row) => number(row.sessions_per_hour, 0) },
  { title: 'out tok/min', text: (row) => number(row.output_tokens_per_minute, 0) },
  { title: 'p50 s', text: (row) => number(row.ttfb_p50_seconds, 2) },
  { title: 'p95 s', text: (row) => number(row.ttfb_p95_seconds, 2) },
  { title: 'p99 s', text: (row) => number(row.ttfb_p99_seconds, 2) },
  { title: 'mean s', text: (row) => number(row.ttfb_mean_seconds, 2) },
  { title: 'longest s', text: (row) => number(row.ttfb_max_seconds, 1) },
  { title: 'first p50', text: (row) => number(row.ttfb_first_p50_seconds, 2) },
  { title: 'later p50', text: (row) => number(row.ttfb_continuing_p50_seconds, 2) },
  { title: 'session s', text: (row) => number(row.session_p50_seconds, 0) },
  { title: 'busy', text: (row) => number(row.replicas_busy, 2) },
  { title: 'hit %', text: (row) => number(row.prefix_hit_percent, 1) },
  { title: 'stayed %', text: (row) => number(row.stayed_percent, 1) },
  { title: 'held %', text: (row) => number(row.held_percent, 1) },
  { title: 'held mean', text: (row) => number(row.held_mean_seconds, 1) },
  { title: 'held max', text: (row) => number(row.held_max_seconds, 1) },
  { title: 'turns', text: (row) => number(row.turns, 0) },
];

/** The report for a person: aligned columns, the times to first byte in seconds. */
export function reportTable({ preset, seconds, seeds, rows }: ExperimentReport): string {
  const repeats = seeds.length === 1 ? 'seed' : 'mean of seeds';
  const head = `${preset}, ${seconds} s of virtual time a step, ${repeats} ${seeds.join(', ')}`;
  return [head, '', rowsTable(rows)].join('\n');
}

/** The rows alone. */
export function rowsTable(rows: readonly ReportRow[]): string {
  return aligned(COLUMNS, rows).join('\n');
}

const COMPARED = [
  ['sessions/h', 'sessions_per_hour'],
  ['out tok/min', 'output_tokens_per_minute'],
  ['p50 s', 'ttfb_p50_seconds'],
  ['p95 s', 'ttfb_p95_seconds'],
  ['busy', 'replicas_busy'],
  ['hit %', 'prefix_hit_percent'],
] as const;

/** By how many percent each figure differs from the reference measurement's, for the rows that it has. */
export function deviationTable(rows: readonly ReportRow[]): string {
  const deviations = COMPARED.map(
    ([title, name]): Column => ({
      title,
      text: (row) => {
        const own = row[name];
        const reference = REFERENCE_MEASUREMENT.find(
          ({ policy, sessions }) => policy === row.policy && sessions === row.sessions,
        )?.[name];
        if (own === null || reference === undefined || reference === null) return '–';
        const percent = Math.round((100 * (own - reference)) / reference);
        return `${percent > 0 ? '+' : ''}${percent} %`;
      },
    }),
  );
  return ['against the reference measurement', '', ...aligned([...COLUMNS.slice(0, 2), ...deviations], rows)].join(
    '\n',
  );
}

function aligned(columns: readonly Column[], rows: readonly ReportRow[]): string[] {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('  '));
}
