/**
 * Parameters of scrypt. 2^15 blocks of 8 take 32 MB and, three times over, about a quarter of a second: OWASP's
 * recommendation for a process that should not need 128 MB for a login.
 */
export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number };
export const SCRYPT_COST: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };

export type PasswordHash = { readonly cost: ScryptCost; readonly salt: string; readonly hash: string };

/** `scrypt$N$r$p$salt$hash`, the last two in base64url: a later version can raise the cost and still read old ones. */
export function formatPasswordHash({ cost, salt, hash }: PasswordHash): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt, hash].join('$');
}

/** Null for what is no such text. */
export function parsePasswordHash(text: string): PasswordHash | null {
  const match = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/.exec(text);
  if (match === null) return null;
  const [, N, r, p, salt = '', hash = ''] = match;
  return { cost: { N: Number(N), r: Number(r), p: Number(p) }, salt, hash };
}

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** Why a password is not taken; null where it is. Length is all that is asked for, as NIST SP 800-63B has it. */
export function passwordProblem(password: string): string | null {
  const length = [...password].length;
  if (length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  return length > MAX_LENGTH ? `must have at most ${MAX_LENGTH} characters` : null;
}
