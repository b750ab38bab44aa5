import { describe, expect, it } from 'vitest';
import { API_ROUTES } from './routes.ts';

const named = API_ROUTES.map((route) => ({ ...route, name: `${route.method} ${route.path.source}` }));

describe('the calls of the console', () => {
  it.each(named.filter(({ method }) => method !== 'GET'))('$name says what the audit list has of it', ({ audit }) => {
    expect(audit).toBeDefined();
  });

  it.each(named.filter(({ method }) => method !== 'GET'))('$name is not for viewers', ({ name, who }) => {
    const own = /\/api\\\/session\$|first-run|session\\\/password/.test(name);
    expect(who === 'admin' || own).toBe(true);
  });

  it.each(named.filter(({ method }) => method === 'GET'))('$name is written down nowhere', ({ audit }) => {
    expect(audit).toBeUndefined();
  });
});
