import { describe, expect, it } from 'vitest';
import { createLoginThrottle } from './login-throttle.ts';

describe('attempts to sign in', () => {
  it('are so many from one address, and others are not kept waiting', async () => {
    const throttle = createLoginThrottle({ perAddress: 2, all: 100 });
    expect([await throttle.attempt('10.0.0.1'), await throttle.attempt('10.0.0.1')]).toEqual([null, null]);
    expect(await throttle.attempt('10.0.0.1')).toBeGreaterThan(0);
    expect(await throttle.attempt('10.0.0.2')).toBeNull();
  });

  it('are so many from all addresses together', async () => {
    const throttle = createLoginThrottle({ perAddress: 10, all: 3 });
    for (const last of [1, 2, 3]) expect(await throttle.attempt(`10.0.0.${last}`)).toBeNull();
    expect(await throttle.attempt('10.0.0.4')).toBeGreaterThan(0);
  });

  it('begin anew after a good one', async () => {
    const throttle = createLoginThrottle({ perAddress: 2, all: 100 });
    await throttle.attempt('10.0.0.1');
    await throttle.attempt('10.0.0.1');
    await throttle.succeeded('10.0.0.1');
    expect(await throttle.attempt('10.0.0.1')).toBeNull();
  });

  it('are counted by the network of an IPv6 address, of which anybody has as many as they like', async () => {
    const throttle = createLoginThrottle({ perAddress: 1, all: 100 });
    expect(await throttle.attempt('2001:db8:1:2::1')).toBeNull();
    expect(await throttle.attempt('2001:db8:1:2:ffff::9')).toBeGreaterThan(0);
    expect(await throttle.attempt('2001:db8:1:3::1')).toBeNull();
  });
});
