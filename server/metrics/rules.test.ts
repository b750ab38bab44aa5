import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

/*
 * The rules of deploy/prometheus, evaluated by Prometheus' own promtool (Debian: apt-get install prometheus) over series
 * as one warden and as three of a fleet give them. Where there is no promtool, deploy-files.test.ts alone looks at them.
 */

const folder = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
const files = ['recording-rules.yml', 'alerts.yml'].map((name) => join(folder, name));
const isThere = spawnSync('promtool', ['--version']).status === 0;

/** Series with their values in promtool's notation: `1x90` is 1 and 90 times the same, `0+5x90` grows by 5. */
type Series = Readonly<Record<string, string>>;
type Labels = Readonly<Record<string, string>>;
type Alerts = Readonly<Record<string, readonly Labels[]>>;

const [A, B] = ['http://a:8000', 'http://b:8000'] as const;
const LENGTH = 90;
const still = (value: number): string => `${value}x${LENGTH}`;
const growing = (by: number): string => `0+${by}x${LENGTH}`;
/** The same until the fifth minute, then nothing any more. */
const ending = (values: string): string => values.replace(`x${LENGTH}`, 'x29 _x60');

const named = (name: string, labels: Labels): string =>
  `${name}{${Object.entries(labels).map(([label, value]) => `${label}="${value}"`)}}`;

type Warden = {
  readonly job: string;
  readonly instance: string;
  /** URLs in the order in which this warden numbers them. */
  readonly order: readonly [string, string];
  readonly live: readonly [number, number];
  readonly placedHere?: readonly [number, number];
  readonly inFlight: readonly [number, number];
  readonly up?: readonly [number, number];
  readonly perStep: number;
  readonly memory?: { readonly up: number; readonly members: number };
  readonly stuck?: string;
};

/** What a warden says of replicas A and B: the first of each pair is of A, whatever its number. */
function seriesOf(warden: Warden): Series {
  const { job, instance, order, up = [1, 1], placedHere, memory, perStep, stuck } = warden;
  const own = { job, instance };
  const model = { ...own, model: 'm' };
  const ofReplicas = order.map((url, number) => {
    const index = url === A ? 0 : 1;
    const replica = { ...model, replica: String(number) };
    const isStuck = stuck === url;
    const info = { ...replica, url, rank: '', engine_version: '0.27' };
    return {
      [named('warden_replica_info', info)]: still(1),
      [named('warden_replica_up', replica)]: still(up[index] ?? 0),
      [named('warden_live_sessions', replica)]: still(warden.live[index] ?? 0),
      ...(placedHere && { [named('warden_live_sessions_placed_here', replica)]: still(placedHere[index] ?? 0) }),
      [named('warden_homes', replica)]: still([9, 7][index] ?? 0),
      [named('warden_in_flight_requests', replica)]: still(warden.inFlight[index] ?? 0),
      [named('warden_conversation_tokens', replica)]: still([30_000, 50_000][index] ?? 0),
      [named('warden_engine_kv_capacity_tokens', replica)]: still(38_000),
      [named('warden_engine_requests_waiting', replica)]: still(isStuck ? 3 : 0),
      [named('warden_engine_prompt_tokens_cached_total', replica)]: growing([900, 100][index] ?? 0),
      [named('warden_engine_prompt_tokens_computed_total', replica)]: isStuck ? still(700) : growing(100),
      [named('warden_engine_generation_tokens_total', replica)]: isStuck ? still(700) : growing(50),
    };
  });
  return {
    [named('up', own)]: still(1),
    [named('warden_build_info', { ...own, version: '1' })]: still(1),
    [named('warden_requests_total', { ...model, decision: 'sticky', status: '200' })]: growing(perStep),
    [named('warden_prompt_tokens_total', { ...model, source: 'cached' })]: growing(900),
    [named('warden_prompt_tokens_total', { ...model, source: 'computed' })]: growing(100),
    [named('warden_model_in_flight_requests', model)]: still(3),
    [named('warden_held_requests', model)]: still(1),
    ...(memory && {
      [named('warden_shared_memory_up', own)]: still(memory.up),
      [named('warden_fleet_members', own)]: still(memory.members),
    }),
    ...Object.assign({}, ...ofReplicas),
  };
}

const box = { job: 'box', instance: 'w:8090', order: [A, B], live: [5, 3], inFlight: [2, 1], perStep: 10 } as const;

/** Three of one fleet, of which the third numbers the replicas the other way round. `change` by the name of a warden. */
function fleetOf(change: Readonly<Record<string, Partial<Warden>>> = {}, all: Partial<Warden> = {}): Series {
  const common = { job: 'fleet', live: [5, 3], memory: { up: 1, members: 3 }, ...all } as const;
  const wardens: readonly Warden[] = [
    { ...common, instance: 'w1', order: [A, B], placedHere: [2, 1], inFlight: [2, 1], perStep: 10 },
    { ...common, instance: 'w2', order: [A, B], placedHere: [3, 0], inFlight: [0, 4], perStep: 20 },
    { ...common, instance: 'w3', order: [B, A], live: [4, 3], placedHere: [1, 1], inFlight: [1, 0], perStep: 30 },
  ];
  return Object.assign({}, ...wardens.map((warden) => seriesOf({ ...warden, ...change[warden.instance] })));
}

/** What becomes of the series when the process of these instances ends in the fifth minute. */
function dies(series: Series, ...instances: readonly string[]): Series {
  const isOf = (name: string): boolean => instances.some((instance) => name.includes(`instance="${instance}"`));
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => {
      if (!isOf(name)) return [name, values];
      return [name, name.startsWith('up{') ? '1x29 0x60' : ending(values)];
    }),
  );
}

const alertRules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.record(z.string(), z.string()),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')))
  .groups.flatMap((group) => group.rules);

/** Evaluates in the 14th minute; fails with what promtool says. Values by expression; alerts by name, [] for silence. */
function evaluate(series: Series, values: Readonly<Record<string, number>>, alerts: Alerts = {}): void {
  const scratch = mkdtempSync(join(tmpdir(), 'lm-warden-rules-'));
  try {
    // Without their words, which are not what is compared here.
    writeFileSync(join(scratch, 'alerts.yml'), stringify({ groups: [{ name: 'alerts', rules: alertRules }] }));
    const test = {
      interval: '10s',
      input_series: Object.entries(series).map(([name, told]) => ({ series: name, values: told })),
      promql_expr_test: Object.entries(values).map(([expr, value]) => ({
        expr: `sum(${expr})`,
        eval_time: '14m',
        exp_samples: [{ labels: '{}', value }],
      })),
      alert_rule_test: Object.entries(alerts).map(([alertname, expected]) => ({
        alertname,
        eval_time: '14m',
        exp_alerts: expected.map((labels) => ({
          exp_labels: { ...alertRules.find(({ alert }) => alert === alertname)?.labels, ...labels },
        })),
      })),
    };
    const file = { rule_files: [files[0], 'alerts.yml'], evaluation_interval: '10s', tests: [test] };
    writeFileSync(join(scratch, 'test.yml'), stringify(file, { aliasDuplicateObjects: false }));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'test.yml'], { cwd: scratch });
    expect(`${status} ${stdout}${stderr}`).toContain('SUCCESS');
    expect(status).toBe(0);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const at = (name: string, url: string): string => `${name}{url="${url}"}`;
const QUIET = Object.fromEntries(
  alertRules.map(({ alert }) => [alert, []] as const).filter(([alert]) => alert !== 'WardenWorkingSetAboveCache'),
);

describe.skipIf(!isThere)('the rules of Prometheus', () => {
  it('are rules to Prometheus itself', () => {
    for (const file of files)
      expect(execFileSync('promtool', ['check', 'rules', file]).toString()).toContain('SUCCESS');
  });

  it('say of one warden what it says', () => {
    evaluate(
      seriesOf(box),
      {
        'warden:up': 1,
        'warden:replica_up': 2,
        'warden:replica_unreached_by': 0,
        'warden:live_sessions': 8,
        'warden:homes': 16,
        [at('warden:in_flight_requests', A)]: 2,
        [at('warden:engine_prompt_tokens_cached:rate5m', A)]: 90,
        [at('warden:engine_tokens_made:rate3m', A)]: 15,
        'warden:model_in_flight_requests': 3,
        'warden:held_requests': 1,
        'warden:requests:rate5m{decision="sticky"}': 1,
        'warden:prompt_tokens:rate5m{source="cached"}': 90,
      },
      { ...QUIET, WardenWorkingSetAboveCache: [{ job: 'box', model: 'm', url: B }] },
    );
  });

  it('count for three wardens each replica, conversation and engine token once, and add up what each did', () => {
    evaluate(
      fleetOf(),
      {
        'warden:up': 3,
        'warden:replica_up': 2,
        'warden:replica_unreached_by': 0,
        // The sum of those placed here is 6, more than any of them knows.
        [at('warden:live_sessions', A)]: 6,
        [at('warden:live_sessions', B)]: 3,
        'warden:homes': 16,
        [at('warden:in_flight_requests', A)]: 3,
        [at('warden:in_flight_requests', B)]: 5,
        [at('warden:conversation_tokens', A)]: 30_000,
        [at('warden:conversation_tokens', B)]: 50_000,
        [at('warden:engine_prompt_tokens_cached:rate5m', A)]: 90,
        [at('warden:engine_prompt_tokens_cached:rate5m', B)]: 10,
        [at('warden:engine_tokens_made:rate3m', A)]: 15,
        'warden:model_in_flight_requests': 9,
        'warden:held_requests': 3,
        'warden:requests:rate5m{decision="sticky"}': 6,
        'warden:prompt_tokens:rate5m{source="cached"}': 270,
      },
      QUIET,
    );
  });

  it('take wardens of two jobs for two fleets, though their engines have the same address', () => {
    const other = seriesOf({ ...box, job: 'other', instance: 'v:8090', live: [1, 1] });
    evaluate({ ...seriesOf(box), ...other }, { 'warden:live_sessions{job="box"}': 8, 'warden:live_sessions': 10 });
  });

  it('tell that one of three wardens died, and go on with the others', () => {
    const values = { 'warden:up': 2, 'warden:replica_up': 2, [at('warden:in_flight_requests', B)]: 1 };
    const dead = [{ job: 'fleet', instance: 'w2' }];
    evaluate(dies(fleetOf(), 'w2'), values, { WardenMemberDown: dead, WardenDown: [], WardenFleetSplit: [] });
  });

  it('tell that all wardens died, that one that is alone did, and that nothing was ever scraped', () => {
    const all = dies(fleetOf(), 'w1', 'w2', 'w3');
    evaluate(all, {}, { WardenDown: [{ job: 'fleet' }], WardenMemberDown: [] });
    evaluate(dies(seriesOf(box), 'w:8090'), {}, { WardenDown: [{ job: 'box' }], WardenMemberDown: [] });
    evaluate({ 'up{job="else", instance="x"}': still(1) }, {}, { WardenDown: [{}] });
  });

  it('know what is no warden, though it is scraped by the same job', () => {
    const other = { 'up{job="fleet", instance="engine"}': still(0) };
    evaluate({ ...fleetOf(), ...other }, { 'warden:up': 3 }, { WardenDown: [], WardenMemberDown: [] });
    const unborn = { 'up{job="lm-warden", instance="new"}': still(0) };
    evaluate(unborn, {}, { WardenDown: [{ job: 'lm-warden' }] });
  });

  it('tell once for how many wardens the shared memory is away', () => {
    const away = { memory: { up: 0, members: 3 } };
    evaluate(fleetOf({ w1: away, w3: away }), {}, { WardenSharedMemoryAway: [{ job: 'fleet' }], WardenFleetSplit: [] });
  });

  it('tell that one warden shares another memory than the others', () => {
    const two = { memory: { up: 1, members: 2 } };
    const series = fleetOf({ w1: two, w2: two, w3: { memory: { up: 1, members: 1 } } });
    evaluate(series, {}, { WardenFleetSplit: [{ job: 'fleet' }], WardenSharedMemoryAway: [] });
  });

  it('tell a replica that one warden does not reach from one that none reaches, and from a model that is down', () => {
    const b = [{ job: 'fleet', model: 'm', url: B }];
    const unreached = { 'warden:replica_up': 2, [at('warden:replica_unreached_by', B)]: 1 };
    evaluate(fleetOf({ w2: { up: [1, 0] } }), unreached, { WardenReplicaUnreached: b, WardenReplicaDown: [] });
    const none = { WardenReplicaDown: b, WardenReplicaUnreached: [], WardenModelDown: [] };
    evaluate(fleetOf({}, { up: [1, 0] }), { 'warden:replica_up': 1 }, none);
    const down = { WardenModelDown: [{ job: 'fleet', model: 'm' }], WardenReplicaDown: [] };
    evaluate(fleetOf({}, { up: [0, 0] }), { 'warden:replica_up': 0 }, down);
  });

  it('tell which replica is stuck, by its name, whatever its number on each warden', () => {
    const stuck = [{ job: 'fleet', model: 'm', url: A }];
    evaluate(fleetOf({}, { stuck: A }), {}, { WardenReplicaStuck: stuck });
  });
});
