/** `npm run bench:proxy -- --soak`: an even load for a long time, with clients that leave and an engine that restarts. */
import { parseArgs } from 'node:util';
import { routingState } from '#lib/contract/models.ts';
import { openConnection } from './connection.ts';
import { runPacedStream } from './paced-stream.ts';
import { pinSelf, residentBytes, setNiceness, waitFor } from './processes.ts';
import { MESSAGES_PATH, startEngine, startWarden } from './targets.ts';
import { BENCH_MODEL } from './workload.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
    nice: { type: 'string', default: '0' },
  },
});

const minutes = Number(values.minutes);
const rate = Number(values.rate);
const ABORT_EVERY = 20;
const CHUNKS = 20;
const PACE_MS = 50;
/** Memory is compared from here on; in a shorter run from its first third. */
const settledMinutes = Math.min(5, minutes / 3);

const counts = { sent: 0, whole: 0, aborted: 0, cut_by_restart: 0, failed: 0 };
const failures = new Map<string, number>();
/** From the engine's end until it is known to be up again. */
let isRestarting = false;

async function request(url: string, number: number): Promise<void> {
  const aborts = number % ABORT_EVERY === 0;
  const startedInRestart = isRestarting;
  counts.sent += 1;
  try {
    const connection = await openConnection(url);
    const leaving = aborts ? setTimeout(() => connection.close(), (number * 7919) % (CHUNKS * PACE_MS)) : null;
    const bodyBytes = number % 3 === 0 ? 150_000 : 20_000;
    const stream = { path: MESSAGES_PATH, session: number % 200, bodyBytes, paceMs: PACE_MS, chunks: CHUNKS };
    const { received, outOfOrder } = await runPacedStream(connection, stream, () => {});
    if (leaving !== null) clearTimeout(leaving);
    connection.close();
    if (received !== CHUNKS || outOfOrder > 0) throw new Error(`${received} of ${CHUNKS} events`);
    counts.whole += 1;
  } catch (error) {
    if (aborts) counts.aborted += 1;
    else if (isRestarting || startedInRestart) counts.cut_by_restart += 1;
    else {
      counts.failed += 1;
      failures.set(String(error), (failures.get(String(error)) ?? 0) + 1);
    }
  }
}

pinSelf();
setNiceness(Number(values.nice));
let engine = await startEngine();
const warden = await startWarden(engine.url, { nodeFlags: ['--import', './dist/bench/loop-delay.mjs'] });
const { pid } = warden;
if (pid === null) throw new Error('warden runs as a process');

async function restartEngine(): Promise<void> {
  isRestarting = true;
  const port = Number(new URL(engine.url).port);
  await engine.stop();
  engine = await startEngine(port);
  await waitFor('warden taking the engine up', async () => ((await fetch(`${warden.url}/readyz`)).ok ? true : null));
  // Requests that began meanwhile may still be on their way.
  setTimeout(() => {
    isRestarting = false;
  }, 2_000);
}

try {
  const started = performance.now();
  const elapsedMinutes = (): number => (performance.now() - started) / 60_000;
  const running = new Set<Promise<void>>();
  let settledBytes = 0;
  let peakBytes = 0;
  let restart: Promise<void> | null = null;
  for (let number = 1; elapsedMinutes() < minutes; number += 1) {
    const due = started + (number * 1000) / rate;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    const one = request(warden.url, number).finally(() => running.delete(one));
    running.add(one);
    if (number % rate !== 0) continue;
    if (elapsedMinutes() < settledMinutes) settledBytes = Math.max(settledBytes, residentBytes(pid));
    else peakBytes = Math.max(peakBytes, residentBytes(pid));
    if (restart === null && elapsedMinutes() > minutes / 2) restart = restartEngine();
  }
  await restart;
  await Promise.all(running);
  const endBytes = residentBytes(pid);
  const inFlight = await waitFor('reading the state', async () => {
    const answer = await fetch(`${warden.url}/api/models/${BENCH_MODEL}/routing`);
    return { now: routingState.parse(await answer.json()).totals.in_flight };
  });
  const delays = [...warden.output().matchAll(/loop-delay-p99-ms ([\d.]+)/g)].map(([, ms]) => Number(ms));
  const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
  const result = {
    minutes,
    ...counts,
    in_flight_at_end: inFlight.now,
    rss_settled_mb: megabytes(settledBytes),
    rss_peak_after_mb: megabytes(peakBytes),
    rss_end_mb: megabytes(endBytes),
    loop_delay_p99_ms: {
      median: delays.toSorted((a, b) => a - b)[delays.length >> 1] ?? null,
      worst_10s: Math.max(...delays),
    },
    failures: Object.fromEntries(failures),
  };
  console.log(JSON.stringify(result, null, values.json ? 0 : 2));
} finally {
  await warden.stop();
  await engine.stop();
}
