// `npm test`: every check and every test, with a count at the end. Goes on after a failure, so that all are seen.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole, buildServer, root } from './build-steps.mjs';
import { findOrInstallBrowser } from './find-browser.mjs';

const reports = mkdtempSync(join(tmpdir(), 'lm-warden-test-'));
let passed = 0;
let failed = 0;

function shell(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** A check that counts as one test. */
async function check(name, run) {
  console.log(`\n— ${name}`);
  const started = Date.now();
  let ok = false;
  try {
    ok = (await run()) === 0;
  } catch (error) {
    console.error(error);
  }
  console.log(`${ok ? 'ok' : 'FAILED'}: ${name} (${Math.round((Date.now() - started) / 1000)} s)`);
  if (ok) passed += 1;
  else failed += 1;
  return ok;
}

/** A runner that writes a report of many tests. One that wrote none, or ended badly without a failed test, failed. */
async function suite(name, command, args, { env, read }) {
  const report = join(reports, `${name}.json`);
  console.log(`\n— ${name}`);
  const code = await shell(command, args(report), env?.(report));
  try {
    const counts = read(JSON.parse(readFileSync(report, 'utf8')));
    passed += counts.passed;
    failed += counts.failed + (code !== 0 && counts.failed === 0 ? 1 : 0);
  } catch (error) {
    console.error(`${name} left no report: ${error.message}`);
    failed += 1;
  }
}

process.env.NEXT_TELEMETRY_DISABLED = '1';
const npx = (...args) => shell('npx', ['--no-install', ...args]);

const built = await check('build', async () => {
  await buildServer();
  await buildConsole();
  return 0;
});
await check('types', () => npx('tsc', '--noEmit'));
await check('lint, format and import directions', () => npx('biome', 'check', '--error-on-warnings', '.'));
await check('dead code (knip)', () => npx('knip'));
await suite(
  'unit-and-integration',
  'npx',
  (file) => ['--no-install', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
  {
    read: (report) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests + (report.numFailedTestSuites > 0 && report.numFailedTests === 0 ? 1 : 0),
    }),
  },
);
if (built) {
  const browser = findOrInstallBrowser();
  await suite('browser', 'npx', () => ['--no-install', 'playwright', 'test', '--config', 'e2e/playwright.config.ts'], {
    env: (file) => ({ WARDEN_TEST_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    read: (report) => ({ passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }),
  });
}
rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
