/*
 * A rollup holds the sums of a stretch of time and is kept up with every batch, in the transaction that writes the raw
 * rows. So it is never behind, a row that arrives late lands where it belongs, and what retention has deleted from the
 * raw rows stays counted.
 *
 * JavaScript numbers are bound as REAL, and a division by a REAL does not round: widths go into the SQL as literals from
 * these tables, or through CAST(? AS INTEGER).
 */
export type Rollup<Table extends string> = { readonly table: Table; readonly seconds: number };

/**
 * SQL: the requests, to be read by `seq` alone. Left to itself, SQLite reads an index on the model from end to end to
 * group by it, a million entries for the rows of a second.
 */
export const NEW_REQUESTS = 'request NOT INDEXED';

/** The start of the bucket, unix seconds, as an SQL expression over a column in ms. */
export function bucketOf(column: string, seconds: number): string {
  return `(${column} / ${seconds * 1000}) * ${seconds}`;
}

/** SQL for the models asked for: `@model` is a name, or NULL for all. A list, so that the key's order is still used. */
export const MODELS_ASKED = '(SELECT id FROM model WHERE @model IS NULL OR name = @model)';

/** `from` (included) to `to` (excluded) in unix seconds, summed into bars of `width` seconds. */
export type SeriesQuery = {
  readonly model: string | null;
  readonly from: number;
  readonly to: number;
  readonly width: number;
};

/** SQL condition and bar start for a rollup's `start_s`, or for a raw column in ms. */
export const WINDOW_S = 'start_s >= CAST(@from AS INTEGER) AND start_s < CAST(@to AS INTEGER)';
export const BAR_S = '(start_s / CAST(@width AS INTEGER)) * CAST(@width AS INTEGER)';

export function windowMs(column: string): string {
  return `${column} >= CAST(@from AS INTEGER) * 1000 AND ${column} < CAST(@to AS INTEGER) * 1000`;
}

export function barMs(column: string): string {
  return `(${column} / (CAST(@width AS INTEGER) * 1000)) * CAST(@width AS INTEGER)`;
}
