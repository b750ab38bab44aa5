// `npm run bench:fleet-affinity`: `bench:affinity` over three wardens. The simulated box of four A4000s, the wardens and
// nginx, which deals each request to the next warden, are processes of their own beside a Redis. Further options are
// bench:affinity's.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startRedis } from '#scripts/start-redis.ts';
import { runCommand } from '#server/benchmark/command.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { FLEET_MODEL, startFleetWarden } from './fleet-warden.ts';
import { type Started, start, waitFor } from './processes.ts';

const WARDENS = 3;
/** The stretch of docs/cache-fit.md. */
const STRETCH = ['--policies', 'affinity,cache-fit', '--steps', '24', '--minutes', '1.5', '--warmup', '25'];
const SAME_LOAD = ['--protocol', 'chat', '--seed', '1'];

/** This program again, as an engine or a warden. */
function startRole(...args: readonly string[]): Started {
  return start([process.execPath, fileURLToPath(import.meta.url), ...args], { core: 'bench' });
}

const urlOf = (role: Started): Promise<string> =>
  waitFor('the start of a process', () => /http:\S+/.exec(role.output())?.[0] ?? null);

/** Turns go to the wardens in turn; the console's API, which counts for itself, stays at the first. */
function nginxConfiguration(folder: string, port: number, wardens: readonly string[]): string {
  const servers = wardens.map((url) => `server ${new URL(url).host};`).join(' ');
  return `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off; client_max_body_size 64m;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream wardens { ${servers} keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
    proxy_buffering off; proxy_read_timeout 3600s;
    location /v1/ { proxy_pass http://wardens; }
    location / { proxy_pass ${wardens[0]}; }
  }
}
`;
}

async function main(given: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'warden-nginx-'));
  mkdirSync(join(folder, 'logs'));
  const redis = await startRedis();
  const started: Started[] = [];
  const role = async (...args: readonly string[]): Promise<string> => {
    const one = startRole(...args);
    started.push(one);
    return urlOf(one);
  };
  try {
    const engine = await role('engine');
    const wardens = await Promise.all(Array.from({ length: WARDENS }, () => role('warden', engine, redis.url)));
    const port = await freePort();
    writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port, wardens));
    started.push(start(['nginx', '-c', join(folder, 'nginx.conf'), '-p', folder], { core: 'bench' }));
    const url = `http://127.0.0.1:${port}`;
    await waitFor('the start of nginx', async () => ((await fetch(`${url}/readyz`)).ok ? true : null));
    const code = await runCommand(['--url', url, '--model', FLEET_MODEL, ...STRETCH, ...SAME_LOAD, ...given], tmpdir());
    console.error(`load average at the end: ${loadavg().map((load) => load.toFixed(1))}`);
    return code;
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await redis.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [, , kind, engineUrl = '', shared = ''] = process.argv;
if (kind === 'engine') console.log((await startSimulatedFleet({ preset: 'a4000x4' })).url);
else if (kind === 'warden') console.log((await startFleetWarden(engineUrl, shared)).url);
else process.exit(await main(process.argv.slice(2)));
