/** `npm run bench:proxy -- --tabs`: what four open tabs of the console and charts of a week do to requests on `/v1`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openConnection } from './connection.ts';
import { percentile, rounded, table } from './figures.ts';
import { pinSelf, setNiceness } from './processes.ts';
import { seedDays } from './seed-days.ts';
import { MESSAGES_PATH, startEngine, startWarden } from './targets.ts';
import { BENCH_MODEL, requestBytes } from './workload.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    nice: { type: 'string', default: '0' },
  },
});

const TABS = 4;
/** As the pages ask, but the week's charts again and again; milliseconds from one answer to the next question. */
const POLLS: readonly (readonly [string, number])[] = [
  ['/api/status', 2000],
  ['/api/models', 2000],
  [`/api/models/${BENCH_MODEL}/routing`, 2000],
  ['/api/sessions', 5000],
  ['/api/requests?limit=100', 5000],
  [`/api/stats/tokens?model=${BENCH_MODEL}&window=7d`, 1000],
  [`/api/stats/latency?model=${BENCH_MODEL}&window=7d`, 1000],
];
const REQUESTS_PER_SECOND = 100;

/** An even rate of small requests, whatever the answers take; the whole time of each, in ms. */
async function load(url: string, seconds: number): Promise<number[]> {
  const connections = await Promise.all(Array.from({ length: 16 }, () => openConnection(url)));
  const idle = [...connections.entries()];
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const started = performance.now();
  for (let sent = 0; sent < REQUESTS_PER_SECOND * seconds; sent += 1) {
    const due = started + (sent * 1000) / REQUESTS_PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    const free = idle.pop();
    if (free === undefined) throw new Error('more than 16 requests at once: too slow to say anything');
    const [session, connection] = free;
    const request = requestBytes({ path: MESSAGES_PATH, bodyBytes: 20_000, session });
    running.push(
      connection.exchange(request).then(({ ttfbMs }) => {
        times.push(ttfbMs);
        idle.push(free);
      }),
    );
  }
  await Promise.all(running);
  for (const connection of connections) connection.close();
  return times;
}

/** Opens the tabs; closes them by the returned function. */
function openTabs(url: string): () => Promise<void> {
  let isOpen = true;
  const poll = async ([path, everyMs]: readonly [string, number]): Promise<void> => {
    while (isOpen) {
      const answer = await fetch(url + path);
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const tabs = Array.from({ length: TABS }, async () => {
    await (await fetch(`${url}/stats`)).arrayBuffer();
    await Promise.all(POLLS.map(poll));
  });
  return async () => {
    isOpen = false;
    await Promise.all(tabs);
  };
}

pinSelf();
setNiceness(Number(values.nice));
const dataDir = mkdtempSync(join(tmpdir(), 'warden-tabs-'));
const engine = await startEngine();
const env = { WARDEN_DATA_DIR: dataDir };
// Once to make the database, then with a week in it.
await (await startWarden(engine.url, { env })).stop();
seedDays(dataDir, { model: BENCH_MODEL, days: 7, replicas: 1 });
const warden = await startWarden(engine.url, { env });
try {
  const without: number[] = [];
  const withTabs: number[] = [];
  const seconds = Number(values.seconds);
  await load(warden.url, 2);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    without.push(...(await load(warden.url, seconds)));
    const close = openTabs(warden.url);
    withTabs.push(...(await load(warden.url, seconds)));
    await close();
  }
  const row = (tabs: number, times: readonly number[]) => ({
    tabs,
    requests: times.length,
    ttfb_p50_ms: rounded(percentile(times, 50), 3),
    ttfb_p99_ms: rounded(percentile(times, 99), 3),
  });
  const rows = [row(0, without), row(TABS, withTabs)];
  if (values.json) console.log(JSON.stringify({ rows }));
  else
    console.log(
      table(
        Object.keys(rows[0] ?? {}),
        rows.map((cells) => Object.values(cells)),
      ),
    );
} finally {
  await warden.stop();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
