import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as 43 characters that need no quoting anywhere. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token. A plain hash is enough for 256 random bits: nobody can try them out. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

/** Compares two secrets without telling by its time where they differ. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(given)), Buffer.from(tokenHash(secret)));
}
