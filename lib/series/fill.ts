/**
 * One entry per bucket start: the row that has it, or `empty(start)` where there is none. Rows of other starts are left
 * out, so that a chart has exactly the buckets of its range.
 */
export function fillBuckets<Row extends { readonly start: number }>(
  starts: readonly number[],
  rows: readonly Row[],
  empty: (start: number) => Row,
): Row[] {
  const byStart = new Map(rows.map((row) => [row.start, row]));
  return starts.map((start) => byStart.get(start) ?? empty(start));
}
