import { describe, expect, it } from 'vitest';
import { foreignOrigin } from './origin.ts';

const facts = (origin?: string, fetchSite?: string, host = '127.0.0.1:8090') => ({ origin, fetchSite, host });

describe('an origin', () => {
  it.each([
    facts(),
    facts('http://127.0.0.1:8090', 'same-origin'),
    facts(undefined, 'same-origin'),
    facts(undefined, 'none'),
    facts('https://warden.example.org', 'same-origin', 'warden.example.org'),
    facts('https://warden.example.org', 'same-origin', 'warden.example.org:443'),
    facts('http://[::1]:8090', 'same-origin', '[::1]:8090'),
  ])('is ours: %j', (given) => {
    expect(foreignOrigin(given, [])).toBeNull();
  });

  it.each([
    facts('https://evil.example', 'cross-site'),
    facts('http://127.0.0.1:3000', 'same-site'),
    facts('http://localhost:8090', 'same-site'),
    facts('null'),
    facts(''),
    facts('file://'),
    facts('vscode-webview://abc'),
    facts('chrome-extension://127.0.0.1:8090'),
    facts('http://127.0.0.1:8090.evil.example'),
    facts(undefined, 'cross-site'),
    facts(undefined, 'same-site'),
    facts('http://127.0.0.1:8090', 'same-origin', 'not a host'),
  ])('is foreign: %j', (given) => {
    expect(foreignOrigin(given, [])).not.toBeNull();
  });

  it('may be allowed, exactly as it is written', () => {
    const allowed = ['https://chat.example.org', 'vscode-webview://abc'];
    expect(foreignOrigin(facts('https://chat.example.org', 'cross-site'), allowed)).toBeNull();
    expect(foreignOrigin(facts('vscode-webview://abc', 'cross-site'), allowed)).toBeNull();
    expect(foreignOrigin(facts('http://chat.example.org', 'cross-site'), allowed)).not.toBeNull();
    expect(foreignOrigin(facts('https://chat.example.org.evil.example', 'cross-site'), allowed)).not.toBeNull();
  });
});
