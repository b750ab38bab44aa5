import { createParser, parseAsInteger, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { readSort, type Sort, writeSort } from '#components/ui/sort.ts';
import type { TableState } from '#components/ui/table.tsx';

const parseAsSort = createParser<Sort>({
  parse: readSort,
  serialize: writeSort,
  eq: (a, b) => a.column === b.column && a.descending === b.descending,
});

/** A table's order and page in the address: `?sort=-turns&page=2`; left out where they are those at first. */
export function useTableState(atFirst: Sort): TableState {
  const [sort, setSort] = useQueryState('sort', parseAsSort.withDefault(atFirst));
  const [page, setPage] = useQueryState('page', parseAsInteger.withDefault(1));
  const { column, descending } = sort;
  return useMemo(
    () => ({
      sort: { column, descending },
      onSort: (chosen) => {
        void setSort(chosen);
        void setPage(null);
      },
      page: Math.max(0, page - 1),
      onPage: (chosen) => void setPage(chosen + 1),
    }),
    [column, descending, page, setSort, setPage],
  );
}
