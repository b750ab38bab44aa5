import { describe, expect, it } from 'vitest';
import { readSharedUrl } from './shared-url.ts';

describe('WARDEN_SHARED', () => {
  it.each([
    [
      'redis://box',
      { kind: 'server', nodes: [{ host: 'box', port: 6379 }], tls: false, database: 0, username: null, password: null },
    ],
    [
      'rediss://warden:p%40ss@box:7000/2',
      {
        kind: 'server',
        nodes: [{ host: 'box', port: 7000 }],
        tls: true,
        database: 2,
        username: 'warden',
        password: 'p@ss',
      },
    ],
    [
      'valkey://:secret@[::1]:6380',
      { kind: 'server', nodes: [{ host: '::1', port: 6380 }], username: null, password: 'secret' },
    ],
    [
      'redis+sentinel://a,b:26380/main',
      {
        kind: 'sentinel',
        nodes: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26380 },
        ],
        masterName: 'main',
        sentinel: { username: null, password: null },
      },
    ],
    [
      'redis+sentinel://warden:one@a/main?sentinel_username=watch&sentinel_password=t%26w+o',
      { username: 'warden', password: 'one', sentinel: { username: 'watch', password: 't&w+o' } },
    ],
    [
      'rediss+cluster://a:7001,b:7002',
      {
        kind: 'cluster',
        tls: true,
        nodes: [
          { host: 'a', port: 7001 },
          { host: 'b', port: 7002 },
        ],
      },
    ],
    ['redis://box:80', { nodes: [{ host: 'box', port: 80 }] }],
  ])('reads %s', (text, address) => {
    expect(readSharedUrl(text)).toMatchObject(address);
  });

  it.each([
    ['http://box', /must be redis:/],
    ['box:6379', /must be redis:/],
    ['redis://a,b', /several hosts need/],
    ['redis+sentinel://a', /name of the master/],
    ['redis+cluster://a/3', /only the database 0/],
    ['redis://a/x', /database that is not a number/],
    ['redis://a?sentinel_password=x', /takes no options but/],
    ['redis+sentinel://a/main?db=2', /takes no options but/],
    ['redis://a:x', /"a:x" is not host:port/],
  ])('refuses %s with a sentence', (text, message) => {
    expect(() => readSharedUrl(text)).toThrow(message);
  });

  it.each([
    'warden:secret@a,b',
    'warden:sec/ret@a:1',
    'warden:s/ecret@a:1',
    'warden:s?ec/ret@a',
    'sec@ret@b:1',
    'warden:80?sec/ret@a',
  ])('never repeats the password of redis://%s', (rest) => {
    const read = () => readSharedUrl(`redis://${rest}`);
    expect(read).toThrow(/^WARDEN_SHARED/);
    expect(read).not.toThrow(/sec|ret/);
  });
});
