/** `npm run bench:proxy -- --streams`: many slow streams at once; what the router adds to each event's way. */
import { parseArgs } from 'node:util';
import { openConnection } from './connection.ts';
import { percentile, rounded, table } from './figures.ts';
import { runPacedStream } from './paced-stream.ts';
import { cpuMs, pinSelf, setNiceness } from './processes.ts';
import { direct, startEngine, startNginx, startWarden, type Target } from './targets.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    streams: { type: 'string', default: '500' },
    rate: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    nice: { type: 'string', default: '0' },
  },
});

const count = Number(values.streams);
const seconds = Number(values.seconds);
const paceMs = 1000 / Number(values.rate);
const chunks = Math.round(Number(values.rate) * seconds);

async function measure(target: Target) {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(target.url)));
  const delays: number[] = [];
  const before = target.pid === null ? null : cpuMs(target.pid);
  const results = await Promise.all(
    connections.map(async (connection, session) => {
      // Spread over one pace, as streams that begin at different times are.
      await new Promise((resolve) => setTimeout(resolve, (paceMs * session) / count));
      const stream = { path: target.path, session, bodyBytes: 2048, paceMs, chunks };
      return runPacedStream(connection, stream, (ms) => void delays.push(ms));
    }),
  );
  const used = target.pid === null || before === null ? null : cpuMs(target.pid) - before;
  for (const connection of connections) connection.close();
  return {
    target: target.name,
    streams: count,
    events: results.reduce((sum, { received }) => sum + received, 0),
    lost: results.reduce((sum, { received }) => sum + chunks - received, 0),
    out_of_order: results.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0),
    delay_p50_ms: rounded(percentile(delays, 50), 2),
    delay_p99_ms: rounded(percentile(delays, 99), 2),
    core_percent: used === null ? null : rounded(used / seconds / 10, 1),
  };
}

pinSelf();
setNiceness(Number(values.nice));
const engine = await startEngine();
const warden = await startWarden(engine.url);
const nginx = await startNginx(engine.url);
try {
  const targets = [direct(engine.url), ...(nginx === null ? [] : [nginx]), warden];
  const rows = [];
  for (const target of targets) rows.push(await measure(target));
  if (values.json) console.log(JSON.stringify({ rows }));
  else
    console.log(
      table(
        Object.keys(rows[0] ?? {}),
        rows.map((row) => Object.values(row)),
      ),
    );
} finally {
  await warden.stop();
  await nginx?.stop();
  await engine.stop();
}
