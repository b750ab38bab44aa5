/**
 * `in_use`: another process has the database. `not_saved`: a write failed. `unavailable`: the database thread does not
 * answer or a read failed. `closed`: asked after `close()`.
 */
export type StoreErrorCode = 'in_use' | 'not_saved' | 'unavailable' | 'closed';

/** What the store reports to its callers. The message is a sentence for a person. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
