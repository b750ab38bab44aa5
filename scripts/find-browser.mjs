import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser for the tests: the one named by WARDEN_TEST_BROWSER, Playwright's own, or the system's; null for none. */
function findBrowser() {
  const named = process.env.WARDEN_TEST_BROWSER;
  if (named) {
    if (!existsSync(named)) throw new Error(`WARDEN_TEST_BROWSER names ${named}, which does not exist`);
    return named;
  }
  const own = chromium.executablePath();
  if (own && existsSync(own)) return own;
  for (const name of SYSTEM_NAMES) {
    const found = spawnSync('which', [name], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

const succeeds = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;

/** Finds a browser, or installs one: by Playwright, or with Debian's package manager. Throws with what to do. */
export function findOrInstallBrowser() {
  const found = findBrowser();
  if (found !== null) return found;
  console.log('No browser found; installing one for the tests.');
  if (process.getuid?.() === 0 && spawnSync('which', ['apt-get']).status === 0) {
    succeeds('apt-get', ['update', '-qq']) && succeeds('apt-get', ['install', '-y', '-qq', 'chromium']);
  }
  const installed = findBrowser();
  if (installed !== null) return installed;
  succeeds('npx', ['playwright', 'install', 'chromium']);
  const downloaded = findBrowser();
  if (downloaded !== null) return downloaded;
  throw new Error(
    'No browser for the tests: install Chromium (Debian: apt-get install chromium), or set WARDEN_TEST_BROWSER to one.',
  );
}
