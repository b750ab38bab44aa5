import { expect, it } from 'vitest';
import { settingEntries } from './setting-entries.ts';

const tree = {
  limits: { max_body_mb: 64, connect_timeout_seconds: 5 },
  api_key: 'sk-secret',
  session_headers: ['x-a'],
};
const places = new Map([['limits.max_body_mb', { line: 3, variables: ['BODY'] }]]);

it('says where each value comes from', () => {
  const entries = settingEntries(tree, (key) => places.get(key));
  expect(entries).toMatchObject([
    { key: 'limits.max_body_mb', value: 64, source: 'file', line: 3, variables: ['BODY'] },
    { key: 'limits.connect_timeout_seconds', value: 5, source: 'default', line: null },
    { key: 'api_key', value: null, secret: true },
    { key: 'session_headers', value: ['x-a'], secret: false },
  ]);
});

it('never has a secret in it, whatever the secret is called', () => {
  for (const name of ['api_key', 'adminPassword', 'WARDEN_SHARED', 'alert_webhook', 'client_secret', 'bearer_token']) {
    expect(JSON.stringify(settingEntries({ [name]: 'hidden-value' }, () => undefined))).not.toContain('hidden-value');
  }
  expect(settingEntries({ api_key: null, require_keys: true }, () => undefined)).toMatchObject([
    { secret: false, value: null },
    { secret: false, value: true },
  ]);
});
