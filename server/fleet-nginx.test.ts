import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requestList } from '#lib/contract/activity.ts';
import { freePort, startRedis } from '#scripts/start-redis.ts';
import { type Browser, browser, signIn, turn } from './access-fixtures-for-tests.ts';
import { allSay, makeKeyAt, SOON_MS, sameBrowserAt, startFleetWarden } from './fleet-access-for-tests.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, type TestWarden } from './warden-for-tests.ts';

const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path));

describe.skipIf(NGINX === undefined)('deploy/fleet behind a real nginx', () => {
  it('lets a key in wherever its conversations go, and keeps a browser signed in when its warden is gone', async () => {
    const wardens = await threeWardens();
    const front = { url: await startNginx(wardens) };
    const admin = await eventually(() => signIn(front, 'admin'), SOON_MS);
    const { secret } = await makeKeyAt(admin);
    await eventually(async () => {
      const all = await Promise.all(Array.from({ length: 16 }, (_, index) => send(front.url, secret, index)));
      expect(new Set(all)).toEqual(new Set([200]));
    }, SOON_MS);
    // What was served is on a warden's list within a second.
    await eventually(async () => {
      const served = await Promise.all(wardens.map((warden) => servedBy(sameBrowserAt(warden, admin, browser))));
      expect(served.filter((count) => count > 0).length).toBeGreaterThan(1);
    }, SOON_MS);

    const models = async () => (await admin.request('GET', '/api/models')).status;
    expect(await models()).toBe(200);
    // Whichever of them it was at: two of three go.
    for (const warden of wardens.slice(1)) await warden.close();
    await eventually(async () => expect(await models()).toBe(200), SOON_MS);
    expect(await send(front.url, secret, 99)).toBe(200);
  }, 60_000);
});

async function threeWardens(): Promise<readonly TestWarden[]> {
  const redis = await startRedis();
  const engine = await startSimulatedFleet({ replicas: 2, speed: 200 });
  const wardens = await Promise.all([1, 2, 3].map(() => startFleetWarden(engine, redis.url)));
  onTestFinished(async () => {
    await wardens[0]?.close();
    await engine.close();
    await redis.close();
  });
  await allSay(await Promise.all(wardens.map((warden) => signIn(warden, 'admin'))), true);
  return wardens;
}

async function send(url: string, secret: string, conversation: number): Promise<number> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': secret,
      'x-claude-code-session-id': `0197b2f0-1111-7000-8000-${String(conversation).padStart(12, '0')}`,
    },
    body: JSON.stringify(turn()),
  });
  await answer.text();
  return answer.status;
}

async function servedBy(admin: Browser): Promise<number> {
  const { requests } = requestList.parse(await (await admin.request('GET', '/api/requests')).json());
  return requests.length;
}

/** The file that is shipped, with the addresses of these wardens in place of their names. */
async function startNginx(wardens: readonly TestWarden[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'warden-nginx-'));
  const port = await freePort();
  const shipped = readFileSync(new URL('../deploy/fleet/nginx.conf', import.meta.url), 'utf8');
  const here = shipped
    .replace(/warden-([123]):8090/g, (_, number) => new URL(wardens[Number(number) - 1]?.url ?? '').host)
    .replace('listen 8090;', `listen 127.0.0.1:${port};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; ${paths.join(' ')}\n${here} }`,
  );
  const child: ChildProcess = spawn(NGINX ?? 'nginx', ['-c', file, '-p', folder, '-e', `${folder}/error.log`]);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
  return url;
}
