import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { PATIENCE } from '#lib/alerts/alert-book.ts';
import type { AlertCode } from '#lib/alerts/types.ts';
import { type OddEngine, startOddEngine } from '#server/odd-engine-for-tests.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { alertSenses, alertsOf, startReceiver } from './alert-receiver-for-tests.ts';
import type { AlertSenses } from './alert-watch.ts';
import { diskSpaceOf } from './disk-space.ts';

/*
 * The alerts that look at figures, from an engine's /metrics, its answers and the disk, over the real server, to the
 * webhook: raised for what it is, silent for what is well, over when it is over.
 */

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

const USAGE = { prompt_tokens: 1000, completion_tokens: 10 };
const GIBIBYTE = 1024 ** 3;

/** An engine that answers every turn with 1,000 prompt tokens, of which `cached` were in its cache. */
async function engineOf(ranks: 1 | 2) {
  const told = { cached: 900 };
  const odd = await startOddEngine((_req, res) => {
    const usage = { ...USAGE, prompt_tokens_details: { cached_tokens: told.cached } };
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ choices: [{ message: { content: 'yes' } }], usage }));
  }, ranks);
  closing.push(odd.engine);
  return { odd, told };
}

async function watched(odd: OddEngine, senses: AlertSenses) {
  const receiver = await startReceiver(200);
  const warden = await startTestWarden({ fleets: [odd.engine], alertWebhook: receiver.url, alertSenses: senses });
  closing.push(receiver, warden);
  await eventually(async () => expect((await fetch(`${warden.url}/readyz`)).status).toBe(200));
  return { warden, receiver };
}
type Watched = Awaited<ReturnType<typeof watched>>;

async function ask(warden: TestWarden, session: string): Promise<void> {
  const messages = [{ role: 'user', content: `${session} has much to say. `.repeat(200) }];
  const body = { model: TEST_MODEL, max_tokens: 1000, messages };
  const answer = await warden.post('/v1/chat/completions', body, { 'x-session-id': session });
  expect(answer.status).toBe(200);
  await answer.text();
}

/** Waits until the alert is raised, in the console's API, in /metrics and at the webhook; gives what was said. */
async function raised({ warden, receiver }: Watched, code: AlertCode) {
  return await eventually(async () => {
    const { alerts } = await alertsOf(warden);
    expect(alerts.map((alert) => alert.code)).toEqual([code]);
    const [told, ...more] = receiver.received.map(({ notice }) => notice);
    expect(told).toMatchObject({ status: 'raised', alert: { code, id: alerts[0]?.id } });
    expect(more).toEqual([]);
    expect(await (await fetch(`${warden.url}/metrics`)).text()).toContain(`warden_alerts{code="${code}"} 1`);
    return told?.alert;
  }, 20_000);
}

async function over({ warden, receiver }: Watched): Promise<void> {
  await eventually(async () => {
    expect((await alertsOf(warden)).alerts).toEqual([]);
    expect(receiver.received.map(({ notice }) => notice.status)).toEqual(['raised', 'resolved']);
  }, 20_000);
}

describe('an alert, from what is seen to the webhook:', () => {
  it('a replica is stuck where requests wait and no token is made, and the one beside it, that works, is not', async () => {
    const { odd } = await engineOf(2);
    let made = 0;
    const isStuck = [true, false];
    const tick = (): void => {
      made += 10;
      odd.metrics = [0, 1]
        .map((rank) => {
          const labels = `{engine="${rank}",model_name="m"}`;
          const tokens = isStuck[rank] ? 500 : 500 + made;
          return `vllm:num_requests_running${labels} 1\nvllm:num_requests_waiting${labels} 3\nvllm:prompt_tokens_total${labels} 70\nvllm:generation_tokens_total${labels} ${tokens}\n`;
        })
        .join('');
    };
    tick();
    const timer = setInterval(tick, 20);
    closing.push({ close: async () => clearInterval(timer) });
    const all = await watched(odd, alertSenses);
    const alert = await raised(all, 'replica_stuck');
    expect(alert).toMatchObject({ severity: 'critical', model: TEST_MODEL, replica: 0, url: odd.engine.url });
    expect(alert?.values).toMatchObject({ waiting: 3 });
    isStuck[0] = false;
    await over(all);
  });

  it('the hit share collapsed where it was good for a while, and recovers', async () => {
    // Two seconds are ten minutes.
    const senses = { everyMs: 20, steadyNow: () => performance.now() * 300, patience: PATIENCE };
    const { odd, told } = await engineOf(2);
    const all = await watched(odd, senses);
    let isOver = false;
    const client = async (session: string): Promise<void> => {
      while (!isOver) {
        await ask(all.warden, session);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const clients = Promise.all(['a', 'b', 'c'].map(client));
    try {
      await new Promise((resolve) => setTimeout(resolve, 5000));
      expect((await alertsOf(all.warden)).alerts).toEqual([]);
      told.cached = 100;
      const alert = await raised(all, 'hit_share_collapsed');
      expect(alert).toMatchObject({ severity: 'warning', model: TEST_MODEL, replica: null });
      expect(alert?.values.usual_percent).toBeGreaterThan(60);
      expect(alert?.values.percent).toBeLessThan(45);
      told.cached = 900;
      await over(all);
    } finally {
      isOver = true;
      await clients;
    }
  });

  it('conversations have more tokens than the cache of their replica, until cache-fit admission is switched on', async () => {
    const { odd, told } = await engineOf(1);
    told.cached = 0;
    const cacheOf = (blocks: number): string =>
      `vllm:num_requests_running{engine="0"} 0\nvllm:cache_config_info{block_size="16",engine="0",num_gpu_blocks="${blocks}"} 1\n`;
    odd.metrics = cacheOf(150);
    const all = await watched(odd, alertSenses);
    // Two of 1,010 tokens fit into 2,400.
    await ask(all.warden, 'a');
    await ask(all.warden, 'b');
    await eventually(async () => {
      const metrics = await (await fetch(`${all.warden.url}/metrics`)).text();
      expect(metrics).toMatch(/^warden_conversation_tokens[{].* 2020$/m);
    });
    expect((await alertsOf(all.warden)).alerts).toEqual([]);
    await ask(all.warden, 'c');
    const alert = await raised(all, 'working_set_above_cache');
    expect(alert).toMatchObject({ severity: 'warning', replica: 0, values: { tokens: 3030, capacity_tokens: 2400 } });
    expect((await all.warden.patchRouting({ cache_fit: true })).status).toBe(200);
    await over(all);
  });

  it('the disk of the data folder is nearly full, and has room again', async () => {
    const { odd } = await engineOf(1);
    const asked: string[] = [];
    let freeBytes = 2 * GIBIBYTE;
    const diskSpace = async (folder: string) => {
      asked.push(folder);
      return { freeBytes, totalBytes: 100 * GIBIBYTE };
    };
    const all = await watched(odd, { ...alertSenses, diskEveryMs: 20, diskSpace });
    await eventually(() => expect(asked.length).toBeGreaterThan(5));
    expect(new Set(asked)).toEqual(new Set([all.warden.dataDir]));
    expect((await alertsOf(all.warden)).alerts).toEqual([]);
    freeBytes = GIBIBYTE / 2;
    const alert = await raised(all, 'disk_nearly_full');
    expect(alert).toMatchObject({ severity: 'warning', model: null, values: { free_mb: 512 } });
    freeBytes = 2 * GIBIBYTE;
    await over(all);
  });
});

describe('the room of a disk', () => {
  it('is what df says', async () => {
    const [, line = ''] = execFileSync('df', ['-Pk', tmpdir()]).toString().trim().split('\n');
    const [, total = 0, , available = 0] = line.split(/\s+/).map(Number);
    const { freeBytes, totalBytes } = await diskSpaceOf(tmpdir());
    expect(totalBytes / 1024).toBe(total);
    // Others write meanwhile.
    expect(Math.abs(freeBytes / 1024 - available)).toBeLessThan(total / 50);
  });
});
