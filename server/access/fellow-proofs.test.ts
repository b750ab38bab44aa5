import { beforeAll, describe, expect, it } from 'vitest';
import { createVault, type Vault } from '#server/fleet/vault.ts';
import { createFellowProofs } from './fellow-proofs.ts';

const SECRET = 'a secret of a fleet';
const A = 'http://a:8090';
let vault: Vault;
let others: Vault;
beforeAll(async () => {
  vault = await createVault(SECRET);
  others = await createVault(`${SECRET}!`);
});

/** The proofs of the warden at `apiUrl`, when the shared clock says `now`. */
const at = (apiUrl: string, now: number | null = 1_000_000, sealing = vault) =>
  createFellowProofs(sealing, { apiUrl, sharedNow: () => now });

/** What another warden sends to the one at `target`. */
const made = (target: string, now: number | null = 1_000_000, sealing = vault) =>
  at('http://b:8090', now, sealing).prove(target) ?? '';

describe('the proof of a fellow warden', () => {
  it('lets in at the URL that it was made for, however that is written', () => {
    for (const target of [A, 'HTTP://A:8090/', 'http://a:8090/v1']) expect(at(A).isProof(made(target))).toBe(true);
    expect(at('https://gw.example.org/one/').isProof(made('https://gw.example.org/one'))).toBe(true);
    expect(at('http://169.254.10.1:8090').isProof(made('http://169.254.10.1:8090'))).toBe(true);
  });

  it('is of no use at another one', () => {
    const foreign = [
      'http://evil:8090',
      'http://a:8091',
      'https://a:8090',
      'http://a:8090/b',
      'http://a.evil:8090',
      '',
    ];
    for (const target of foreign) expect(at(A).isProof(made(target)), target).toBe(false);
    expect(at('').isProof(made(''))).toBe(false);
  });

  it('is good for half a minute, by the clock that the wardens share', () => {
    for (const madeAt of [970_000, 1_000_000, 1_030_000]) expect(at(A).isProof(made(A, madeAt))).toBe(true);
    for (const madeAt of [0, 969_999, 1_030_001]) expect(at(A).isProof(made(A, madeAt))).toBe(false);
  });

  it('is neither made nor taken while that clock was never read', () => {
    expect(at(A, null).prove(A)).toBeNull();
    expect(at(A, null).isProof(made(A))).toBe(false);
  });

  it('needs the secret, and cannot be made of anything else that is sealed with it', () => {
    expect(at(A).isProof(made(A, 1_000_000, others))).toBe(false);
    for (const text of ['1000000', '{"at":1000000}']) {
      expect(at(A).isProof(vault.seal(vault.place(A), text))).toBe(false);
    }
    const proof = made(A);
    for (const junk of ['', 'x', proof.slice(1), `${proof}${proof}`, `${proof.slice(0, -4)}AAAA`]) {
      expect(at(A).isProof(junk)).toBe(false);
    }
  });
});
