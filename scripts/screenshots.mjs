// `npm run screenshots`: pictures of the built product. Those of the documentation go into docs/images, every page in
// every language, theme and width into screenshots/ (not in git). It runs the simulated fleet for SECONDS (default 90,
// `npm run screenshots -- 300` for more), so that every page has something to show; with `pages` or `docs` after the
// seconds it makes only those.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright';
import { isBuilt, root } from './build-steps.mjs';
import { findOrInstallBrowser } from './find-browser.mjs';
import { takeEveryPage } from './page-screenshots.mjs';

const SESSIONS = 8;
const MODEL = 'qwen3-4b-dp4';
const IMAGES = join(root, 'docs/images');
/** What the address bar and the Connect page show: the default, whatever port is free here. */
const SHOWN_ORIGIN = 'http://127.0.0.1:8090';
const WIDTH = 1280;
const TALLEST = 800;
const SHORTEST = 440;

/** `busy`: requests of other clients come right before the picture, so that they are among the newest. */
const PICTURES = [
  { file: 'models', path: '/' },
  { file: 'model', path: `/models/${MODEL}`, busy: true, tallest: 1040 },
  { file: 'stats', path: '/stats?range=15m', tallest: 1000 },
  { file: 'sessions', path: '/sessions', busy: true },
  { file: 'requests', path: '/requests', busy: true },
  { file: 'connect', path: '/connect', prepare: sendTestTurns },
  { file: 'settings', path: '/settings' },
  // Needs a font with Devanagari on the machine (Debian: fonts-lohit-deva).
  { file: 'stats-hindi', path: '/stats?range=15m', tallest: 1000, locale: 'hi-IN' },
  { file: 'model-dark', path: `/models/${MODEL}`, busy: true, tallest: 1040, colorScheme: 'dark' },
  { file: 'model-360', path: `/models/${MODEL}`, width: 360 },
];

/** Every page of the console. */
const PAGES = [
  { name: 'models', path: '/' },
  { name: 'model', path: `/models/${MODEL}` },
  { name: 'stats', path: '/stats?range=15m' },
  { name: 'sessions', path: '/sessions' },
  { name: 'requests', path: '/requests' },
  { name: 'benchmark', path: '/benchmark' },
  { name: 'connect', path: '/connect' },
  { name: 'fleet', path: '/fleet' },
  { name: 'access', path: '/access' },
  { name: 'settings', path: '/settings' },
  { name: 'login', path: '/login' },
  { name: 'not-found', path: '/nowhere' },
];

const [, , secondsText = '90', only = 'all'] = process.argv;
const seconds = Number(secondsText);
if (!(seconds > 0) || !['all', 'pages', 'docs'].includes(only)) {
  throw new Error('Usage: npm run screenshots -- [seconds] [all | pages | docs]');
}
if (!isBuilt()) throw new Error('There is no build: run npm run build first.');
const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-screenshots-'));
const { child, url } = await startWarden(dataDir);
try {
  await live(url, seconds);
  await takePictures(url);
} finally {
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}

/** In a folder of its own, so that no warden.yaml of the checkout is read. */
function startWarden(dataDir) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_ENV: 'production', WARDEN_PORT: '0', WARDEN_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [join(root, 'dist/server.mjs')], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const url = /console and router on (http:\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened:\n${output}`)));
  });
}

/** Synthetic agents; one replica is drained for a moment, so that there are events and conversations that moved. */
async function live(url, seconds) {
  console.log(`${SESSIONS} synthetic sessions for ${seconds} s on ${url}`);
  await send(`${url}/api/demo`, 'POST', { sessions: SESSIONS });
  await wait(seconds * 500);
  const replica = `${url}/api/models/${MODEL}/replicas/3`;
  await send(replica, 'PATCH', { draining: true });
  await wait(seconds * 100);
  await send(replica, 'PATCH', { draining: false });
  await wait(seconds * 400);
}

/** What other clients send: requests without a conversation, one of Codex, and one that is compacted. */
async function otherRequests(url) {
  const input = [{ type: 'message', role: 'user', content: 'Why does the build fail? '.repeat(200) }];
  const codex = { 'session-id': randomUUID(), 'user-agent': 'codex_cli_rs/0.142.0' };
  await send(`${url}/v1/responses`, 'POST', { model: MODEL, max_output_tokens: 24, store: false, input }, codex);
  const curl = { 'user-agent': 'curl/8.14.1' };
  const short = { model: MODEL, max_tokens: 24 };
  const messages = [{ role: 'user', content: 'Name three primes.' }];
  await send(`${url}/v1/chat/completions`, 'POST', { ...short, messages }, { ...curl, 'x-data-parallel-rank': '2' });
  await send(`${url}/v1/completions`, 'POST', { ...short, prompt: 'def quicksort(' }, curl);
  await compactedConversation(url);
}

/** Its last turn finds little in the cache, and its row says why. */
async function compactedConversation(url) {
  const headers = {
    'x-claude-code-session-id': randomUUID(),
    'user-agent': 'claude-cli/2.1.186 (external, cli)',
    'anthropic-version': '2023-06-01',
  };
  // Without tools it would be taken for one of Claude Code's own side requests.
  const tools = [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } }];
  const turn = (messages) =>
    send(`${url}/v1/messages`, 'POST', { model: MODEL, max_tokens: 24, tools, messages }, headers);
  const messages = [];
  // Other words in each: what an earlier one left in the cache must not answer for it.
  const task = headers['x-claude-code-session-id'].slice(0, 8);
  for (let step = 1; step <= 4; step += 1) {
    messages.push({
      role: 'user',
      content: `Task ${task}, step ${step}. ${'Read the next file and mend it. '.repeat(150)}`,
    });
    await turn(messages);
    messages.push({ role: 'assistant', content: 'Done.' });
  }
  await turn([{ role: 'user', content: `Task ${task} so far: ${'the files are read and mended. '.repeat(60)}` }]);
}

async function send(address, method, body, headers = {}) {
  const answer = await fetch(address, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}: ${text}`);
}

async function takePictures(url) {
  mkdirSync(IMAGES, { recursive: true });
  const browser = await chromium.launch({
    executablePath: findOrInstallBrowser(),
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP 127.0.0.1 ${new URL(url).host}`],
  });
  try {
    if (only !== 'pages') {
      for (const picture of PICTURES) {
        if (picture.busy) await otherRequests(url);
        await take(browser, picture);
      }
    }
    if (only !== 'docs') await takeEveryPage(browser, SHOWN_ORIGIN, PAGES);
  } finally {
    await browser.close();
  }
}

async function take(
  browser,
  { file, path, colorScheme = 'light', locale = 'en-GB', width = WIDTH, tallest = TALLEST, prepare },
) {
  const viewport = { width, height: tallest };
  const page = await browser.newPage({ viewport, colorScheme, locale, reducedMotion: 'reduce', deviceScaleFactor: 1 });
  await page.goto(SHOWN_ORIGIN + path);
  await page.getByRole('main').waitFor();
  await wait(2500);
  await prepare?.(page);
  await page.setViewportSize({ width, height: await sensibleHeight(page, tallest) });
  await page.screenshot({ path: join(IMAGES, `${file}.png`) });
  console.log(`docs/images/${file}.png`);
  await page.close();
}

/** The whole page where it is short, else up to the end of a card near the bottom, else `tallest`. */
async function sensibleHeight(page, tallest) {
  const bottoms = await page
    .locator('main, main section')
    .evaluateAll((elements) => elements.map((element) => Math.ceil(element.getBoundingClientRect().bottom)));
  const fitting = bottoms.map((bottom) => bottom + 12).filter((bottom) => bottom <= tallest);
  const [whole = 0] = bottoms;
  if (whole <= tallest) return Math.max(SHORTEST, whole);
  const last = Math.max(0, ...fitting);
  return last > 0.8 * tallest ? last : tallest;
}

async function sendTestTurns(page) {
  const turns = page.getByRole('list', { name: 'Turns' }).getByRole('listitem');
  for (const [index, name] of ['Send a test turn', 'Send the next turn'].entries()) {
    await page.getByRole('button', { name }).click();
    await turns.nth(index).waitFor();
  }
}
