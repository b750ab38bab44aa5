import { beforeAll, describe, expect, it } from 'vitest';
import { createVault, type Vault } from './vault.ts';

let ours: Vault;
let sameSecret: Vault;
let others: Vault;
beforeAll(async () => {
  ours = await createVault('a secret of a fleet');
  sameSecret = await createVault('a secret of a fleet');
  others = await createVault('a secret of a fleeT');
});

describe('what is sealed', () => {
  it('is read by who has the secret, at its place', () => {
    const sealed = ours.seal('place', 'नमस्ते');
    expect(sameSecret.open('place', sealed)).toBe('नमस्ते');
    expect(ours.open('elsewhere', sealed)).toBeNull();
    expect(others.open('place', sealed)).toBeNull();
  });

  it('is another text each time, and says nothing of what it is', () => {
    const sealed = ours.seal('place', 'a telling text');
    expect(ours.seal('place', 'a telling text')).not.toBe(sealed);
    expect(Buffer.from(sealed, 'base64url').includes('telling')).toBe(false);
  });

  it('is nothing once any of it was changed or cut off', () => {
    const sealed = Buffer.from(ours.seal('place', 'text'), 'base64url');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(at) ^ 1, at);
      expect(ours.open('place', changed.toString('base64url'))).toBeNull();
      expect(ours.open('place', sealed.subarray(0, at).toString('base64url'))).toBeNull();
    }
    for (const junk of ['', '{}', '\u0000', 'x'.repeat(1000)]) expect(ours.open('place', junk)).toBeNull();
  });
});

it('calls places and itself the same with one secret, and otherwise with another', () => {
  expect(sameSecret.place('person:admin')).toBe(ours.place('person:admin'));
  expect(sameSecret.id).toBe(ours.id);
  expect(others.place('person:admin')).not.toBe(ours.place('person:admin'));
  expect(others.id).not.toBe(ours.id);
  expect(ours.place('person:admin')).not.toBe(ours.place('person:vera'));
});
