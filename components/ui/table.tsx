import clsx from 'clsx';
import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly header: string;
  /** A second, smaller line of the header. */
  readonly unit?: string;
  readonly align?: 'end';
  readonly cell: (row: Row) => ReactNode;
  /** Takes the whole width where rows are stacked. */
  readonly wide?: boolean;
  /** Stands in the block's upper right corner where rows are stacked, without its header: for the row's button. */
  readonly corner?: boolean;
};

type Props<Row> = {
  readonly caption: string;
  /** The first column is the row's header. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** In a narrow box each row becomes a block of named values; otherwise the table scrolls under its first column. */
  readonly stack?: boolean;
  /** Long tables scroll down too, in a box of a limited height. */
  readonly tall?: boolean;
};

/** A table with a caption and row headers that is never cut off, whatever the width. */
export function Table<Row>({ caption, columns, rows, rowKey, stack = true, tall = false }: Props<Row>) {
  const [first, ...others] = columns;
  return (
    <div className="table-box">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div
        role="group"
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className={clsx('relative overflow-x-auto rounded-b-lg', tall && 'max-h-96 overflow-y-auto')}
      >
        <table className="data-table" data-stack={stack}>
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.header} scope="col" data-align={column.align}>
                  {column.header}
                  {column.unit ? <span className="block font-normal text-faint text-xs">{column.unit}</span> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                <th scope="row">{first.cell(row)}</th>
                {others.map((column) => (
                  <Cell key={column.header} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  return (
    <td
      data-label={column.unit ? `${column.header}, ${column.unit}` : column.header}
      data-wide={column.wide === true}
      data-corner={column.corner === true}
      data-align={column.align}
    >
      {column.cell(row)}
    </td>
  );
}
