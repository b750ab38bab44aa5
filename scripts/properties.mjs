// `npm run test:properties -- --minutes 10`: the tests of properties with ever new values, until one fails or the time
// is over. `PROPERTY_SEED=… npx vitest run <file>` repeats what failed.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { root, run } from './build-steps.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}`);

const grep = ['grep', '-l', 'fast-check', '--', '*.test.ts'];
const files = execFileSync('git', grep, { cwd: root, encoding: 'utf8' }).trim().split('\n');
const until = Date.now() + minutes * 60_000;
let rounds = 0;
while (Date.now() < until) {
  const seed = randomInt(2 ** 31);
  console.log(`\n— PROPERTY_SEED=${seed}`);
  await run('npx', ['--no-install', 'vitest', 'run', '--reporter=dot', ...files], { PROPERTY_SEED: String(seed) });
  rounds += 1;
}
console.log(`\n${rounds} rounds of ${files.length} files, none failed`);
