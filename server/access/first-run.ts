import { isSameSecret, newToken } from './tokens.ts';

const VALID_MS = 3_600_000;

/** The secret that lets its holder make the first admin: whoever reads the terminal owns the machine. */
export type FirstRun = {
  readonly token: string;
  /** Good for an hour after the start, and until it was used. */
  isGood(given: string): boolean;
  use(): void;
};

export function createFirstRun(now: () => number): FirstRun {
  const token = newToken();
  const startedAt = now();
  let isUsed = false;
  return {
    token,
    isGood: (given) => !isUsed && now() - startedAt <= VALID_MS && isSameSecret(given, token),
    use() {
      isUsed = true;
    },
  };
}
