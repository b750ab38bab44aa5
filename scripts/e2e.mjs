// `npm run test:e2e`: the browser tests alone, against the existing build. Arguments go to Playwright.
import { isBuilt, run } from './build-steps.mjs';
import { findOrInstallBrowser } from './find-browser.mjs';

if (!isBuilt()) throw new Error('There is no build: run npm run build first.');
await run(
  'npx',
  ['--no-install', 'playwright', 'test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)],
  {
    WARDEN_TEST_BROWSER: findOrInstallBrowser(),
  },
);
