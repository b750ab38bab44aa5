import clsx from 'clsx';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Sort } from './sort.ts';

type Props = {
  readonly header: string;
  readonly unit: string | undefined;
  readonly align: 'end' | undefined;
  /** How the rows are sorted by this column; undefined where it cannot be sorted by. */
  readonly sort: { readonly column: string; readonly current: Sort | null; onSort(sort: Sort): void } | undefined;
};

/** A column's header; a button where the column can be sorted by. Numbers start with the largest, words with A. */
export function TableHead({ header, unit, align, sort }: Props) {
  const words = <Words header={header} unit={unit} />;
  if (!sort) {
    return (
      <th scope="col" data-align={align}>
        {words}
      </th>
    );
  }
  const { column, current, onSort } = sort;
  const descending = current?.column === column ? current.descending : null;
  const Icon = descending === null ? ChevronsUpDown : descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      data-align={align}
      data-sortable="true"
      aria-sort={descending === null ? 'none' : descending ? 'descending' : 'ascending'}
    >
      <button
        type="button"
        onClick={() => onSort({ column, descending: descending === null ? align === 'end' : !descending })}
        className={clsx(
          'sort-button -mx-1 -my-0.5 inline-flex items-end gap-0.5 rounded px-1 py-0.5 hover:bg-hover hover:text-ink',
          align === 'end' ? 'flex-row-reverse text-right' : 'text-left',
          descending !== null && 'text-ink',
        )}
      >
        <span>{words}</span>
        <Icon aria-hidden="true" className={clsx('mb-0.5 size-3 shrink-0', descending === null && 'opacity-50')} />
      </button>
    </th>
  );
}

function Words({ header, unit }: { readonly header: string; readonly unit: string | undefined }): ReactNode {
  return (
    <>
      {header}
      {unit ? <span className="block font-normal text-faint text-xs">{unit}</span> : null}
    </>
  );
}
