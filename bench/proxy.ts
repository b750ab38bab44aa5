/** `npm run bench:proxy`: what the router costs per request, beside other proxies, all in one run by turns. */
import { parseArgs } from 'node:util';
import { percentile, rounded, table } from './figures.ts';
import { runSlice, type Slice, type SliceOptions } from './load.ts';
import { isPinned, pinSelf, setNiceness } from './processes.ts';
import { direct, startEngine, startHaproxy, startNginx, startRival, startWarden, type Target } from './targets.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    bodies: { type: 'string', default: '2048,153600,1048576' },
    concurrency: { type: 'string', default: '1,32' },
    warmup: { type: 'string', default: '3000' },
    scale: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    nice: { type: 'string', default: '0' },
    baseline: { type: 'string', default: '' },
    rival: { type: 'string', multiple: true, default: [] },
  },
});

const numbers = (text: string): number[] => text.split(',').map(Number);
const say = (text: string): void => void (values.json || console.log(text));

/** Requests of one target in one round: about as long for each size. */
function sliceOf(bodyBytes: number, concurrency: number): SliceOptions {
  const base = bodyBytes > 500_000 ? 60 : bodyBytes > 50_000 ? 250 : 500;
  return { bodyBytes, concurrency, requests: Math.ceil(base * (concurrency > 1 ? 3 : 1) * Number(values.scale)) };
}

type Row = {
  readonly target: string;
  readonly body_bytes: number;
  readonly concurrency: number;
  readonly requests_per_second: number | null;
  readonly ttfb_p50_ms: number | null;
  readonly ttfb_p99_ms: number | null;
  readonly cpu_ms_per_request: number | null;
};

function rowOf({ name }: Target, { bodyBytes, concurrency }: SliceOptions, slices: readonly Slice[]): Row {
  const total = (pick: (slice: Slice) => number): number => slices.reduce((sum, slice) => sum + pick(slice), 0);
  const ttfbs = slices.flatMap((slice) => slice.ttfbsMs);
  const requests = total((slice) => slice.requests);
  const hasCpu = slices.every((slice) => slice.cpuMs !== null);
  return {
    target: name,
    body_bytes: bodyBytes,
    concurrency,
    requests_per_second: rounded(requests / total((slice) => slice.seconds), 1),
    ttfb_p50_ms: rounded(percentile(ttfbs, 50), 3),
    ttfb_p99_ms: rounded(percentile(ttfbs, 99), 3),
    cpu_ms_per_request: hasCpu ? rounded(total((slice) => slice.cpuMs ?? 0) / requests, 3) : null,
  };
}

async function measure(targets: readonly Target[], options: SliceOptions): Promise<Row[]> {
  const slices = new Map<Target, Slice[]>(targets.map((target) => [target, []]));
  for (const target of targets) await runSlice(target, { ...options, requests: Math.ceil(options.requests / 2) });
  for (let round = 0; round < Number(values.rounds); round += 1) {
    // Another order each round: what the machine does besides hits each of them.
    const order = round % 2 === 0 ? targets : targets.toReversed();
    for (const target of order) slices.get(target)?.push(await runSlice(target, options));
  }
  return targets.map((target) => rowOf(target, options, slices.get(target) ?? []));
}

function ratios(rows: readonly Row[], row: Row): readonly (number | null)[] {
  const same = (name: string): Row | undefined =>
    rows.find(
      (other) => other.target === name && other.body_bytes === row.body_bytes && other.concurrency === row.concurrency,
    );
  const nginx = same('nginx');
  const base = same('direct')?.ttfb_p50_ms ?? null;
  const added = (of: Row | undefined): number | null =>
    of?.ttfb_p50_ms == null || base === null ? null : of.ttfb_p50_ms - base;
  const ratio = (value: number | null, by: number | null): number | null =>
    value === null || by === null || by === 0 ? null : rounded(value / by, 2);
  return [
    ratio(row.cpu_ms_per_request, nginx?.cpu_ms_per_request ?? null),
    rounded(added(row), 3),
    ratio(added(row), added(nginx)),
    ratio(row.ttfb_p99_ms, nginx?.ttfb_p99_ms ?? null),
  ];
}

const COLUMNS = [
  'target',
  'body',
  'conc',
  'req/s',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'CPU ×nginx',
  'added p50',
  'added ×nginx',
  'p99 ×nginx',
];

function print(rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.target,
    row.body_bytes,
    row.concurrency,
    row.requests_per_second,
    row.ttfb_p50_ms,
    row.ttfb_p99_ms,
    row.cpu_ms_per_request,
    ...ratios(rows, row),
  ]);
  say(table(COLUMNS, cells));
}

pinSelf();
setNiceness(Number(values.nice));
const engine = await startEngine();
const targets: Target[] = [direct(engine.url)];
try {
  const wanted = values.only === '' ? null : values.only.split(',');
  const add = async (name: string, startIt: () => Promise<Target | null>): Promise<void> => {
    if (wanted !== null && !wanted.includes(name)) return;
    const target = await startIt();
    if (target !== null) targets.push(target);
  };
  await add('nginx', () => startNginx(engine.url));
  await add('haproxy', () => startHaproxy(engine.url));
  await add('warden', () => startWarden(engine.url));
  const { baseline } = values;
  if (baseline !== '') await add('baseline', () => startWarden(engine.url, { name: 'baseline', file: baseline }));
  for (const rival of values.rival) {
    const [name = '', binFolder = ''] = rival.split('=');
    await add(name, () => startRival(name, binFolder, engine.url));
  }
  say(isPinned ? 'Each target on a core of its own, load and engine on another.' : 'Not pinned to cores.');
  // As they are after a minute's work: Node and Python programs compile and fill their caches first.
  for (const target of targets) {
    await runSlice(target, { bodyBytes: 20_000, concurrency: 32, requests: Number(values.warmup) });
  }
  const rows: Row[] = [];
  for (const bodyBytes of numbers(values.bodies)) {
    for (const concurrency of numbers(values.concurrency)) {
      const measured = await measure(targets, sliceOf(bodyBytes, concurrency));
      print(measured);
      rows.push(...measured);
    }
  }
  if (values.json) console.log(JSON.stringify({ rows }));
} finally {
  for (const target of targets) await target.stop();
  await engine.stop();
}
