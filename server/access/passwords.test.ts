import { describe, expect, it } from 'vitest';
import { parsePasswordHash, passwordProblem, SCRYPT_COST } from '#lib/access/password-hash.ts';
import { createPasswords } from './passwords.ts';

describe('a password', () => {
  it('matches its hash and no other, and the hash has its parameters', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('correct horse');
    expect(parsePasswordHash(stored)?.cost).toEqual(SCRYPT_COST);
    expect(stored).not.toContain('correct');
    expect(await passwords.matches('correct horse', stored)).toBe(true);
    expect(await passwords.matches('correct horsE', stored)).toBe(false);
    expect(await passwords.matches('', stored)).toBe(false);
  });

  it('has another hash each time', async () => {
    const passwords = createPasswords();
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'));
  });

  it('matches a hash that was made with other parameters', async () => {
    const stored = `scrypt$1024$8$1$c2FsdHNhbHQ$${'A'.repeat(43)}`;
    expect(parsePasswordHash(stored)?.cost).toEqual({ N: 1024, r: 8, p: 1 });
    expect(await createPasswords().matches('x', stored)).toBe(false);
  });

  it.each([null, '', 'x', 'scrypt$1024', 'bcrypt$1$1$1$a$b', 'scrypt$x$8$1$a$b'])(
    'matches nothing where the hash is %j',
    async (stored) => {
      expect(await createPasswords().matches('x', stored)).toBe(false);
    },
  );

  it('is the same from two keyboards that write its letters differently', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('caf\u00e9 au lait');
    expect(await passwords.matches('cafe\u0301 au lait', stored)).toBe(true);
  });

  it('is compared one at a time', async () => {
    const passwords = createPasswords();
    const all = [1, 2, 3].map(() => passwords.matches('x', null));
    expect(passwords.waiting()).toBe(3);
    await Promise.all(all);
    expect(passwords.waiting()).toBe(0);
  });

  it('needs eight characters and no more than 256', () => {
    expect(passwordProblem('1234567')).not.toBeNull();
    expect(passwordProblem('12345678')).toBeNull();
    expect(passwordProblem('x'.repeat(257))).not.toBeNull();
  });
});
