import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from 'playwright/test';
import { test } from './warden-test.ts';

/*
 * What is handed out, run where there are no sources: the package as npm packs it (`npx lm-warden`), and the image as the
 * Dockerfile's last stage copies it together. Of the Dockerfile this executes every COPY of the last stage, ENV, the
 * health check, ENTRYPOINT and CMD. Of its RUN steps, `npm run build` is what made the build that is tested here, and
 * `rm` of maps and cache is done to the copy; apt-get, `npm ci` (done by whoever runs this test), `npm prune` (the
 * dependencies that it would leave are linked here, no others) and chown are only read, by scripts/deploy.test.ts.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'lm-warden-package-'));
const running: ChildProcess[] = [];
test.afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Links the dependencies that an installation has: those of the lock file that are not for development alone. */
function linkDependencies(into: string): void {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  for (const [path, { dev = false }] of Object.entries(lock.packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || dev || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(into, path)), { recursive: true });
    symlinkSync(join(root, path), join(into, path));
  }
}

/** The package, unpacked beside nothing else, and the command as npm links it. */
function unpacked(): { readonly folder: string; readonly command: string } {
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], { cwd: root });
  const [{ filename = '' } = {}]: readonly { filename?: string }[] = JSON.parse(out.toString());
  execFileSync('tar', ['-xzf', join(scratch, filename), '-C', scratch]);
  const folder = join(scratch, 'package');
  linkDependencies(folder);
  const command = join(scratch, 'lm-warden');
  symlinkSync(join(folder, 'scripts/lm-warden.mjs'), command);
  return { folder, command };
}

/** Nothing of this process's own environment: what is run has to find everything by itself. */
function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (name !== 'PATH') delete env[name];
  return Object.assign(env, { HOME: scratch }, more);
}

function run(command: string, args: readonly string[], env = environment()) {
  const child = spawn(command, [...args], { cwd: scratch, env });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, output: () => text, ended };
}

async function listening(started: ReturnType<typeof run>): Promise<string> {
  await expect(async () => expect(started.output()).toContain('console and router on')).toPass({ timeout: 30_000 });
  return /console and router on (http:\S+)/.exec(started.output())?.[1] ?? '';
}

/** Opens a page and says what did not work of it: what was not found, and what its scripts complained of. */
async function open(page: Page, url: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const scripts: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
    if (answer.request().resourceType() === 'script') scripts.push(answer.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(url);
  await expect(page.getByText('qwen3-4b-dp4').first()).toBeVisible();
  expect(scripts.length).toBeGreaterThan(3);
  return faults;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return address.port;
}

test('the package that npm packs runs without its sources: help, doctor, and the server with its console', async ({
  page,
  engine,
}) => {
  test.setTimeout(120_000);
  const { folder, command } = unpacked();
  for (const source of ['server', 'lib', 'app', 'components', 'tsconfig.json', 'node_modules/esbuild']) {
    expect(existsSync(join(folder, source)), source).toBe(false);
  }
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

  const help = run(command, ['--help']);
  expect(await help.ended).toBe(0);
  expect(help.output()).toContain('Usage: lm-warden');
  const versioned = run(command, ['--version']);
  await versioned.ended;
  expect(versioned.output()).toBe(`${version}\n`);

  const doctor = run(command, ['doctor', '--upstream', engine.url, '--port', '0', '--data', join(scratch, 'none')]);
  expect(await doctor.ended, doctor.output()).toBe(0);
  expect(doctor.output()).toContain('Nothing is wrong');

  const server = run(command, ['--port', '0', '--data', join(scratch, 'data')]);
  const url = await listening(server);
  expect(await open(page, url)).toEqual([]);
  await page.goto(`${url}/settings`);
  await expect(page.getByRole('heading').first()).toBeVisible();
  expect(readdirSync(join(scratch, 'data'))).toContain('warden.db');
  const backup = run(command, ['backup', join(scratch, 'copy.db'), '--data', join(scratch, 'data')]);
  expect(await backup.ended, backup.output()).toBe(0);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

type Instruction = { readonly name: string; readonly rest: string };

/** The last stage of the Dockerfile, continued lines joined. */
function lastStage(): readonly Instruction[] {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  const all = text.split('\n').flatMap((line): Instruction[] => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, rest }];
  });
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
}

test('what the Dockerfile copies together starts as its ENTRYPOINT says, serves the console, and is healthy', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const stage = lastStage();
  const of = (name: string): readonly string[] => stage.filter((one) => one.name === name).map(({ rest }) => rest);
  const image = join(scratch, 'image');
  mkdirSync(image);
  for (const copy of of('COPY')) {
    const words = copy.split(/\s+/).filter((word) => word !== '' && !word.startsWith('--'));
    const to = words.pop() ?? '';
    for (const from of words.map((word) => word.replace(/^\/build\//, ''))) {
      if (from === 'node_modules') continue;
      const target = to === './' ? join(image, from) : join(image, to);
      const isWanted = (path: string): boolean => !path.includes('/.next/cache') && !path.endsWith('.map');
      cpSync(join(root, from), target, { recursive: true, filter: isWanted });
    }
  }
  linkDependencies(image);
  const port = await freePort();
  const declared = Object.fromEntries(
    of('ENV').flatMap((rest) => [...rest.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])),
  );
  const variables = {
    ...declared,
    WARDEN_PORT: String(port),
    WARDEN_DATA_DIR: join(scratch, 'image-data'),
    WARDEN_ADMIN_PASSWORD: 'a long password of the test',
  };
  const inImage = (text: string): readonly string[] =>
    JSON.parse(text).map((word: string) => word.replace(/^\/app\//, `${image}/`));
  const [command = '', ...args] = [...inImage(of('ENTRYPOINT')[0] ?? '[]'), ...inImage(of('CMD')[0] ?? '[]')];
  const [, check = '[]'] = /CMD\s+(\[.*\])$/.exec(of('HEALTHCHECK')[0] ?? '') ?? [];
  const [checker = '', ...checkArgs] = inImage(check);
  const healthy = (): Promise<number | null> => run(checker, checkArgs, environment(variables)).ended;

  expect(await healthy()).toBe(1);
  const server = run(command, args, environment(variables));
  await listening(server);
  expect(await healthy()).toBe(0);
  await page.goto(`http://127.0.0.1:${port}/login`);
  await page.getByLabel(/name/i).first().fill('admin');
  await page
    .getByLabel(/password/i)
    .first()
    .fill(variables.WARDEN_ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('qwen3-4b-dp4').first()).toBeVisible();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(await healthy()).toBe(1);
});
