import { describe, expect, it } from 'vitest';
import { hostName, isKnownHost, isLoopback, isWildcard } from './host.ts';

describe('the name in a Host header', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LOCALHOST:8090', 'localhost'],
    ['127.0.0.1:8090', '127.0.0.1'],
    ['[::1]:8090', '::1'],
    ['[::1]', '::1'],
    ['gpu-box.', 'gpu-box'],
  ])('of %s is %s', (header, name) => {
    expect(hostName(header)).toBe(name);
  });

  it.each(['', ' ', 'a b', 'a:b', 'a:1:2', 'user@host', 'host/path', '[::1', '::1', 'host:999999'])(
    'of %j is none',
    (header) => {
      expect(hostName(header)).toBeNull();
    },
  );
});

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', 'warden.localhost', '::ffff:127.0.0.1'])(
    '%s is',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.4', 'localhost.example', '127.0.0.1.example', 'xlocalhost', '128.0.0.1'])(
    '%s is not',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );

  it('is not what listens on all addresses', () => {
    expect(['0.0.0.0', '::', '[::]'].map(isWildcard)).toEqual([true, true, true]);
    expect(['127.0.0.1', '10.0.0.1', 'box'].map(isWildcard)).toEqual([false, false, false]);
  });
});

describe('a host that is known', () => {
  const onLoopback = { bound: '127.0.0.1', allowed: [] };
  const onAll = { bound: '0.0.0.0', allowed: ['gpu-box', '*.example.org'] };
  const onOne = { bound: '10.0.0.5', allowed: [] };

  it.each([
    ['localhost:8090', onLoopback],
    ['127.0.0.1', onLoopback],
    ['[::1]:8090', onLoopback],
    ['10.0.0.7:8090', onAll],
    ['[fe80::1]:8090', onAll],
    ['gpu-box:8090', onAll],
    ['warden.example.org', onAll],
    ['10.0.0.5:8090', onOne],
    ['localhost', onOne],
  ])('%s', (header, rule) => {
    expect(isKnownHost(header, rule)).toBe(true);
  });

  it.each([
    ['evil.example', onLoopback],
    ['10.0.0.7', onLoopback],
    ['evil.example', onAll],
    ['example.org', onAll],
    ['evilexample.org', onAll],
    ['gpu-box.evil.example', onAll],
    ['10.0.0.6', onOne],
    ['gpu-box', onOne],
    ['', onAll],
  ])('is not %j', (header, rule) => {
    expect(isKnownHost(header, rule)).toBe(false);
  });

  it('may be left out, which no browser does', () => {
    expect(isKnownHost(undefined, onLoopback)).toBe(true);
  });
});
