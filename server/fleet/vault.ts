import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';

/**
 * Seals what wardens leave in the shared memory: whoever can read the memory learns nothing, and whoever can write there
 * can make nothing that a warden would take for another's word.
 */
export type Vault = {
  /** The same at all wardens with one secret, and says nothing of it: texts of another secret lie elsewhere. */
  readonly id: string;
  /** The name under which something lies; says nothing of what it is. */
  place(name: string): string;
  /** Readable at that place alone. */
  seal(place: string, text: string): string;
  /** Null for what was not sealed with this secret, for this place. */
  open(place: string, sealed: string): string | null;
};

/** With the wardens' own secret: as slow to guess as a password, since it may be one. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 2 ** 20 } as const;
const VERSION = '1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export async function createVault(secret: string): Promise<Vault> {
  const root = await derive(secret);
  const part = (name: string): Buffer => Buffer.from(hkdfSync('sha256', root, '', `lm-warden ${name}`, 32));
  const sealing = part('sealing');
  const naming = part('naming');
  const about = (place: string): Buffer => Buffer.from(`${VERSION} ${place}`);
  return {
    id: part('id').subarray(0, 9).toString('base64url'),
    place: (name) => createHmac('sha256', naming).update(name).digest('base64url').slice(0, 27),
    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(about(place));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64url');
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(about(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        // Whoever wrote it did not have the secret: to a reader that is no text at all.
        return null;
      }
    },
  };
}

function derive(secret: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFKC'), 'lm-warden fleet 1', 32, COST, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
