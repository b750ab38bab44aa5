import { type Column, Table } from '#components/ui/table.tsx';
import type { Cell } from './csv.ts';
import { CsvButton } from './csv-button.tsx';

export type ChartColumn = {
  /** The column's name in the CSV file, with its unit. */
  readonly name: string;
  readonly header: string;
  readonly unit?: string;
};

export type ChartRow = { readonly key: string; readonly text: readonly string[]; readonly raw: readonly Cell[] };

type Props = {
  readonly caption: string;
  readonly file: string;
  readonly columns: readonly [ChartColumn, ...ChartColumn[]];
  readonly rows: readonly ChartRow[];
};

/** The numbers behind a chart, and the same numbers as a file. */
export function ChartTable({ caption, file, columns, rows }: Props) {
  const [first, ...others] = columns.map(
    (column, index): Column<ChartRow> => ({
      header: column.header,
      ...(column.unit ? { unit: column.unit } : {}),
      ...(index > 0 ? { align: 'end' as const } : {}),
      cell: (row) => row.text[index] ?? '',
    }),
  );
  if (!first) return null;
  return (
    <div className="border-line border-t">
      <div className="flex justify-end px-4 py-2">
        <CsvButton file={file} header={columns.map(({ name }) => name)} rows={() => rows.map(({ raw }) => raw)} />
      </div>
      <Table caption={caption} columns={[first, ...others]} rows={rows} rowKey={(row) => row.key} stack={false} tall />
    </div>
  );
}
