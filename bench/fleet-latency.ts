// `npm run bench:fleet`: what sharing homes through Valkey or Redis adds to a turn. Three wardens before the same
// simulated engine take turns request by request: alone, sharing over loopback, and sharing over a network of 1 ms. Also
// what the memory itself uses for it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { startRedis } from '#scripts/start-redis.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import type { Warden } from '#server/start.ts';
import { FLEET_MODEL, startFleetWarden } from './fleet-warden.ts';
import { between, memoryUse } from './memory-use.ts';

/** Each way, so that a round trip takes 1 ms more than on loopback. */
const DELAY_MS = 0.5;

/** Hands bytes on half a millisecond later, in order. Timers are coarser than that, so it waits by looking at the clock. */
async function startDelay(port: number): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.setNoDelay(true);
    far.setNoDelay(true);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        const due = performance.now() + DELAY_MS;
        const send = (): void => {
          if (performance.now() >= due) to.write(bytes);
          else setImmediate(send);
        };
        send();
      });
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `redis://127.0.0.1:${address.port}`, close: () => server.close() };
}

async function timeOf(warden: Warden, session: string): Promise<number> {
  const body = { model: FLEET_MODEL, max_tokens: 1, messages: [{ role: 'user', content: session }] };
  const start = performance.now();
  const answer = await fetch(`${warden.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-claude-code-session-id': session },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`the warden answered ${answer.status}`);
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, conversations: { type: 'string', default: '400' } },
});
const redis = await startRedis();
const delay = await startDelay(redis.port);
// An engine that answers at once: what is measured is the way to it.
const engine = await startSimulatedFleet({ speed: 1000 });
const shared = [null, redis.url, delay.url];
const wardens = await Promise.all(shared.map((url) => startFleetWarden(engine.url, url)));
await new Promise((resolve) => setTimeout(resolve, 1500));

/** What two wardens that have nothing to do use of the memory by the second, and then what their turns add. */
const IDLE_SECONDS = 10;
const asleep = await memoryUse(redis.url);
await new Promise((resolve) => setTimeout(resolve, 1000 * IDLE_SECONDS));
const idle = between(asleep, await memoryUse(redis.url));
const begun = { use: await memoryUse(redis.url), at: performance.now() };

const names = ['alone', 'shared, loopback', 'shared, 1 ms network'];
const times = names.map(() => ({ first: [] as number[], continuing: [] as number[] }));
const WARM_UP = 50;
for (let round = 0; round < Number(values.conversations) + WARM_UP; round += 1) {
  for (const [index, warden] of wardens.entries()) {
    const session = randomUUID();
    const first = await timeOf(warden, session);
    const continuing = await timeOf(warden, session);
    if (round < WARM_UP) continue;
    times[index]?.first.push(first);
    times[index]?.continuing.push(continuing);
  }
}
const used = between(begun.use, await memoryUse(redis.url));
const idleShare = (performance.now() - begun.at) / 1000 / IDLE_SECONDS;
const sharing = wardens.length - 1;
const turns = 2 * sharing * (Number(values.conversations) + WARM_UP);
const memory = {
  idle_cpu_ms_per_warden_second: idle.cpuMs / IDLE_SECONDS / sharing,
  idle_commands_per_warden_second: idle.commands / IDLE_SECONDS / sharing,
  cpu_ms_per_turn: (used.cpuMs - idleShare * idle.cpuMs) / turns,
  commands_per_turn: (used.commands - idleShare * idle.commands) / turns,
};
const rows = times.map(({ first, continuing }, index) => ({
  warden: names[index] ?? '',
  first_p50_ms: quantile(first, 0.5),
  first_p99_ms: quantile(first, 0.99),
  continuing_p50_ms: quantile(continuing, 0.5),
  continuing_p99_ms: quantile(continuing, 0.99),
}));
if (values.json) console.log(JSON.stringify({ rows, memory }));
else {
  console.table(rows);
  console.table(memory);
}
await Promise.all(wardens.map((warden) => warden.close(0)));
await engine.close();
delay.close();
await redis.close();
process.exit(0);
