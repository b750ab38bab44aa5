import { describe, expect, it } from 'vitest';
import { loginAddress, pageAfterLogin } from './login-address.ts';

describe('the way to the login page and back', () => {
  it.each(['/', '/stats?window=7d&model=a%2Fb', '/models/a%2Fb', '/requests?session=0123456789ab'])('%s', (page) => {
    const { pathname, search } = new URL(page, 'http://console');
    const address = new URL(loginAddress({ pathname, search }), 'http://console');
    expect(address.pathname).toBe('/login');
    expect(pageAfterLogin(address.search)).toBe(page);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/login?next=/login',
    '',
  ])('leads nowhere else: %j', (next) => {
    expect(pageAfterLogin(`?next=${encodeURIComponent(next)}`)).toBe('/');
  });
});
