import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { formatPasswordHash, parsePasswordHash, SCRYPT_COST, type ScryptCost } from '#lib/access/password-hash.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes and compares passwords, one at a time: each takes 32 MB and a thread of the pool that files need too. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** `stored` null: nobody has that name. It takes as long, and is false. */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** How many wait. */
  waiting(): number;
};

export function createPasswords(): Passwords {
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    waiting += 1;
    const result = queue.then(run);
    queue = result.catch(() => {});
    try {
      return await result;
    } finally {
      waiting -= 1;
    }
  };
  const nobody = { cost: SCRYPT_COST, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

  return {
    waiting: () => waiting,
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        const hash = await derive(password, salt, HASH_BYTES, SCRYPT_COST);
        return formatPasswordHash({
          cost: SCRYPT_COST,
          salt: salt.toString('base64url'),
          hash: hash.toString('base64url'),
        });
      }),
    matches: (password, stored) =>
      inTurn(async () => {
        const parsed = stored === null ? null : parsePasswordHash(stored);
        const known =
          parsed === null
            ? nobody
            : {
                cost: parsed.cost,
                salt: Buffer.from(parsed.salt, 'base64url'),
                hash: Buffer.from(parsed.hash, 'base64url'),
              };
        const derived = await derive(password, known.salt, known.hash.length, known.cost);
        return timingSafeEqual(derived, known.hash) && parsed !== null;
      }),
  };
}

function derive(password: string, salt: Buffer, length: number, { N, r, p }: ScryptCost): Promise<Buffer> {
  // The same password typed on two keyboards may be two sequences of code points.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, derived) => {
      if (error === null) resolve(derived);
      else reject(error);
    });
  });
}
