/** By which column the rows of a table are sorted. */
export type Sort = { readonly column: string; readonly descending: boolean };

/** What a row is sorted by: numbers by size, words as people order them. Null, the unknown, is always last. */
export type SortValue = number | string | null;

/** "-turns" or "turns": a sort as it stands in the address. */
export function writeSort({ column, descending }: Sort): string {
  return descending ? `-${column}` : column;
}

/** A sort from the address; null where it names none of the columns. */
export function readSort(text: string): Sort | null {
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return column === '' ? null : { column, descending };
}

/** The rows in a new order; rows that are equal keep theirs. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] {
  const valued = rows.map((row) => ({ row, value: value(row) }));
  return valued.toSorted((a, b) => compare(a.value, b.value, descending)).map(({ row }) => row);
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a: SortValue, b: SortValue, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
  return descending ? -order : order;
}
