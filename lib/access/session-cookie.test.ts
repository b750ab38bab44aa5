import { describe, expect, it } from 'vitest';
import { readSessionCookie, sessionCookie } from './session-cookie.ts';

const TOKEN = 'a'.repeat(43);

describe('the cookie of a session', () => {
  it.each([true, false])('is read as it was set, over TLS: %s', (isTls) => {
    const [pair] = sessionCookie(TOKEN, isTls, 60).split(';');
    expect(readSessionCookie(`theme=dark; ${pair}; x=y`, isTls)).toBe(TOKEN);
    expect(readSessionCookie(pair, !isTls)).toBeNull();
  });

  it('is for this host alone, unreadable for scripts, and encrypted where the connection is', () => {
    expect(sessionCookie(TOKEN, true, 60)).toBe(
      `__Host-warden=${TOKEN}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure`,
    );
    expect(sessionCookie(null, false, 60)).toBe('warden_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
  });

  it.each([
    undefined,
    '',
    'warden_session',
    'warden_session=short',
    `xwarden_session=${TOKEN}`,
    `warden_session=${TOKEN}x`,
  ])('is not found in %j', (header) => {
    expect(readSessionCookie(header, false)).toBeNull();
  });
});
