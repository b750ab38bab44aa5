import clsx from 'clsx';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useDeferredValue, useMemo } from 'react';
import { Pager } from './pager.tsx';
import { type Sort, type SortValue, sortRows } from './sort.ts';
import { TableHead } from './table-head.tsx';

export type Column<Row> = {
  /** What the column is called in the address when the table is sorted by it. */
  readonly id?: string;
  readonly header: string;
  /** A second, smaller line of the header. */
  readonly unit?: string;
  readonly align?: 'end';
  readonly cell: (row: Row) => ReactNode;
  /** What its rows are sorted by, where they can be; needs an id. */
  readonly sortBy?: (row: Row) => SortValue;
  /** Takes the whole width where rows are stacked. */
  readonly wide?: boolean;
  /** Stands in the block's upper right corner where rows are stacked, without its header: for the row's button. */
  readonly corner?: boolean;
};

/** How a long table is sorted and which of its pages is shown; `useTableState` keeps it in the address. */
export type TableState = {
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort) => void;
  readonly page: number;
  readonly onPage: (page: number) => void;
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
  /** Makes columns with `sortBy` sortable, and more rows than `pageSize` come in pages. */
  readonly state?: TableState;
  readonly pageSize?: number;
  /** Opens a row: a click on it, or Enter after j and k have moved to it. Its first cell needs a button that does the same. */
  readonly onOpen?: (row: Row) => void;
  /** The key of the row that is open. */
  readonly opened?: string | null;
};

/** A table with a caption and row headers that is never cut off, whatever the width. */
export function Table<Row>(props: Props<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    stack = true,
    tall = false,
    state,
    pageSize = Number.POSITIVE_INFINITY,
  } = props;
  const { column: by, descending } = state?.sort ?? UNSORTED;
  const sorted = useMemo(() => inOrder(rows, columns, by, descending), [rows, columns, by, descending]);
  // Rows go while a page is looked at: then the last page that there is.
  const page = Math.min(state?.page ?? 0, Math.max(0, Math.ceil(sorted.length / pageSize) - 1));
  const { opened, onOpen } = props;
  const current = useMemo(() => {
    const shown = sorted.length > pageSize ? sorted.slice(page * pageSize, (page + 1) * pageSize) : sorted;
    return { columns, shown, rowKey, opened, onOpen };
  }, [columns, sorted, page, pageSize, rowKey, opened, onOpen]);
  // The rows follow a moment later than the header and the search, which answer at once however many rows there are.
  const view = useDeferredValue(current);
  const body = useMemo(
    () => (
      <tbody>
        {view.shown.map((row) => {
          const key = view.rowKey(row);
          return <Row key={key} row={row} columns={view.columns} isOpen={view.opened === key} onOpen={view.onOpen} />;
        })}
      </tbody>
    ),
    [view],
  );
  return (
    <div className="table-box">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div
        role="group"
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className={clsx('relative overflow-x-auto rounded-b-lg', tall && 'max-h-104 overflow-y-auto')}
      >
        <table className="data-table" data-stack={stack}>
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <TableHead
                  key={keyOf(column, index)}
                  header={column.header}
                  unit={column.unit}
                  align={column.align}
                  sort={sortOf(column, state)}
                />
              ))}
            </tr>
          </thead>
          {body}
        </table>
      </div>
      {state && sorted.length > pageSize ? (
        <Pager page={page} pageSize={pageSize} rows={sorted.length} onPage={state.onPage} />
      ) : null}
    </div>
  );
}

/** Columns stay in their places, and their headers may be equal in some language. */
function keyOf<Row>(column: Column<Row>, index: number): string {
  return column.id ?? String(index);
}

const UNSORTED = { column: null, descending: false };

function inOrder<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  by: string | null,
  descending: boolean,
): readonly Row[] {
  const value = columns.find(({ id }) => id !== undefined && id === by)?.sortBy;
  return value ? sortRows(rows, value, descending) : rows;
}

function sortOf<Row>({ id, sortBy }: Column<Row>, state: TableState | undefined) {
  if (!state || id === undefined || !sortBy) return undefined;
  return { column: id, current: state.sort, onSort: state.onSort };
}

type RowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly isOpen: boolean;
  readonly onOpen: ((row: Row) => void) | undefined;
};

/** Drawn anew only where something of it has changed: with every answer of a poll most rows stay what they are. */
function Row<R>({ row, columns, isOpen, onOpen }: RowProps<R>) {
  return useMemo(() => rowOf({ row, columns, isOpen, onOpen }), [row, columns, isOpen, onOpen]);
}

function rowOf<R>({ row, columns: [first, ...others], isOpen, onOpen }: RowProps<R>) {
  const opens = onOpen && {
    onClick: (event: MouseEvent) => {
      if (!isOnControl(event.target)) onOpen(row);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
    },
    className: 'cursor-pointer',
  };
  return (
    <tr tabIndex={-1} data-row="true" aria-current={isOpen ? 'true' : undefined} {...opens}>
      <th scope="row">{first.cell(row)}</th>
      {others.map((column, index) => (
        <Cell key={keyOf(column, index)} column={column} row={row} />
      ))}
    </tr>
  );
}

/** A click on a link or a button in a row, or one that ends the selection of a text, is not meant for the row. */
function isOnControl(target: EventTarget): boolean {
  if (getSelection()?.isCollapsed === false) return true;
  return target instanceof Element && target.closest('a, button, input, select, label') !== null;
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
