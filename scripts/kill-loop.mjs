// `npm run test:kill -- --times 200`: kills a warden under load that often, and prints what was left.
import { parseArgs } from 'node:util';
import { run } from './build-steps.mjs';

const { values } = parseArgs({ options: { times: { type: 'string', default: '200' } } });
await run('npx', ['--no-install', 'vitest', 'run', 'server/survival/kill-loop.test.ts'], {
  WARDEN_TEST_KILLS: values.times,
});
