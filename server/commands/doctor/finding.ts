/** What one check found. `bad` has to be mended, `warn` is worth knowing, `skipped` could not be looked at. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'bad' | 'skipped';
  /** One sentence of what was found. */
  readonly found: string;
  /** What to do about it; null where nothing has to be done. */
  readonly fix: string | null;
};

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, fix: null });
export const warn = (check: string, found: string, fix: string): Finding => ({ check, state: 'warn', found, fix });
export const bad = (check: string, found: string, fix: string): Finding => ({ check, state: 'bad', found, fix });
export const skipped = (check: string, found: string): Finding => ({ check, state: 'skipped', found, fix: null });

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
