/** The rows of which every word of a search is in one of the fields; all of them where nothing is searched for. */
export function searchRows<Row>(
  rows: readonly Row[],
  search: string,
  fields: (row: Row) => readonly (string | null)[],
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const texts = fields(row).map((field) => field?.toLowerCase() ?? '');
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
}
