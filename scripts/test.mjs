// `npm test`: every check and every test, with a count at the end. Goes on after a failure, so that all are seen.
// With CI=1 a test that failed is run once more, and told as unsteady if it passes then (docs/decisions/0017).
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole, buildServer, root } from './build-steps.mjs';
import { findOrInstallBrowser } from './find-browser.mjs';

const reports = mkdtempSync(join(tmpdir(), 'lm-warden-test-'));
let passed = 0;
let failed = 0;
/** What failed, told again at the end: a long run scrolls it away. */
const failures = [];
/** What failed and passed when it was run again. */
const unsteady = [];
const retries = process.env.CI ? 1 : 0;

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
  else {
    failed += 1;
    failures.push(name);
  }
  return ok;
}

/** A runner that writes a report of many tests. One that wrote none, or ended badly without a failed test, failed. */
async function suite(name, command, args, { env, read }) {
  const report = join(reports, `${name}.json`);
  console.log(`\n— ${name}`);
  const code = await shell(command, args(report), env?.(report));
  try {
    const { passed: wentWell, failures: wentWrong, unsteady: inDoubt } = read(JSON.parse(readFileSync(report, 'utf8')));
    passed += wentWell;
    unsteady.push(...inDoubt);
    failures.push(...wentWrong);
    failed += wentWrong.length;
    if (code !== 0 && wentWrong.length === 0) {
      failed += 1;
      failures.push(`${name} ended with ${code} and names no failed test`);
    }
  } catch (error) {
    failed += 1;
    failures.push(`${name} left no report: ${error.message}`);
  }
}

function resultsOfVitest({ numPassedTests, testResults }) {
  const told = (status) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter((test) => test.status === status && test.failureMessages.length > 0)
        .map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join('\n')}`),
    );
  // A file that could not be loaded has no test that failed.
  const unloaded = testResults
    .filter((file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'))
    .map(({ name, message }) => `${name}\n${message}`);
  return { passed: numPassedTests, failures: [...told('failed'), ...unloaded], unsteady: told('passed') };
}

function resultsOfPlaywright({ stats, suites }) {
  const all = (inner) =>
    inner.flatMap(({ title, specs = [], suites: deeper = [] }) => [
      ...specs.flatMap((spec) => spec.tests.map((test) => ({ ...test, name: `${title} › ${spec.title}` }))),
      ...all(deeper),
    ]);
  const told = (outcome) =>
    all(suites)
      .filter(({ status }) => status === outcome)
      .map(({ name, results }) =>
        [name, ...results.flatMap(({ errors }) => errors.map(({ message }) => message))].join('\n'),
      );
  return { passed: stats.expected + stats.flaky, failures: told('unexpected'), unsteady: told('flaky') };
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
  (file) => [
    ...['--no-install', 'vitest', 'run', `--retry=${retries}`],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
  ],
  { read: resultsOfVitest },
);
if (built) {
  const browser = findOrInstallBrowser();
  const command = [
    '--no-install',
    'playwright',
    'test',
    '--config',
    'e2e/playwright.config.ts',
    `--retries=${retries}`,
  ];
  await suite('browser', 'npx', () => command, {
    env: (file) => ({ WARDEN_TEST_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    read: resultsOfPlaywright,
  });
}
rmSync(reports, { recursive: true, force: true });
for (const told of unsteady) console.log(`\nUNSTEADY (failed, and passed when run again): ${told}`);
for (const failure of failures) console.log(`\nFAILED: ${failure}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
