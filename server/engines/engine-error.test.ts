import { describe, expect, it } from 'vitest';
import { connectionFailure } from './engine-error.ts';

const withCode = (code: string) => Object.assign(new Error('details'), { code });

describe('connectionFailure', () => {
  it.each([
    ['ENOTFOUND', 'no such host'],
    ['EAI_AGAIN', 'the host name could not be looked up'],
    ['EHOSTUNREACH', 'host unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection within 2.5 s'],
    ['ETIMEDOUT', 'no connection within 2.5 s'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['SOMETHING_ELSE', 'details'],
  ])('puts %s into plain words', (code, words) => {
    expect(connectionFailure(withCode(code), 2.5)).toBe(words);
  });

  it('says what was thrown where that is not an error', () => {
    expect(connectionFailure('odd', 2.5)).toBe('odd');
  });
});
