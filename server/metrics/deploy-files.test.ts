import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseExposition } from '#lib/engine/prometheus-text.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

const target = z.object({ expr: z.string().min(1) });
const dashboard = z.object({
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      targets: z.array(target).optional(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
    }),
  ),
  annotations: z.object({ list: z.array(target) }),
  templating: z.object({
    list: z.array(
      z.object({ name: z.string(), query: z.union([z.string(), z.object({ query: z.string() })]).optional() }),
    ),
  }),
});
const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
});

const board = dashboard.parse(JSON.parse(read('grafana/lm-warden.json')));
const alerts = rules.parse(parse(read('prometheus/alerts.yml'))).groups.flatMap((group) => group.rules);
const recorded = z
  .object({ groups: z.array(z.object({ rules: z.array(z.object({ record: z.string(), expr: z.string() })) })) })
  .parse(parse(read('prometheus/recording-rules.yml')))
  .groups.flatMap((group) => group.rules);
const expressions = [
  ...[...board.panels.flatMap((panel) => panel.targets ?? []), ...board.annotations.list].map(({ expr }) => expr),
  ...alerts.map(({ expr }) => expr),
  ...recorded.map(({ expr }) => expr),
];

/** By metric: the labels of all its series, those that Prometheus itself adds to a histogram included. */
let labelsOf: ReadonlyMap<string, ReadonlySet<string>>;
let declared: ReadonlySet<string>;
let close: () => Promise<void>;

beforeAll(async () => {
  const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
  // One that shares a memory has all that one alone has; that nobody answers there is no matter here.
  const warden = await startTestWarden({ fleets: [fleet], shared: 'redis://127.0.0.1:9' });
  close = async () => {
    await warden.close();
    await fleet.close();
  };
  const body = { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] };
  await (await warden.post('/v1/chat/completions', body)).text();
  await (await warden.post('/v1/chat/completions', { ...body, model: 'none' })).text();
  const text = await (await fetch(`${warden.url}/metrics`)).text();
  declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  const found = new Map<string, Set<string>>();
  for (const { name, labels } of parseExposition(text)) {
    const known = found.get(name) ?? new Set();
    for (const label of labels.keys()) known.add(label);
    found.set(name, known);
  }
  labelsOf = found;
});
afterAll(() => close());

const metricsIn = (expr: string): string[] => [...new Set(expr.match(/\bwarden_[a-z0-9_]+/g) ?? [])];
/** Series that a recording rule makes. */
const recordedIn = (expr: string): string[] => [...new Set(expr.match(/\bwarden:[a-z0-9_:]+/g) ?? [])];
/** Prometheus' own, of everything that it scrapes. */
const SCRAPED = ['job', 'instance'];
const family = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');

/** Names in `by (…)` and `on (…)`, and those that a selector compares. */
function labelsIn(expr: string): string[] {
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const compared = [...expr.matchAll(/([a-z_]+)\s*(?:=~|!=|=)\s*"/g)].map(([, label = '']) => label);
  return [...new Set([...grouped, ...compared])];
}

describe('the Grafana dashboard and the Prometheus rules', () => {
  it.each(expressions)('name metrics that a running warden has, and labels of these: %s', (expr) => {
    const names = metricsIn(expr);
    const ofRules = recordedIn(expr);
    expect(names.length + ofRules.length).toBeGreaterThan(0);
    for (const name of names) expect(declared, name).toContain(declared.has(name) ? name : family(name));
    const known = [
      ...SCRAPED,
      ...names.flatMap((name) => [...(labelsOf.get(name) ?? [])]),
      ...ofRules.flatMap((name) => labelsIn(recorded.find(({ record }) => record === name)?.expr ?? '')),
    ];
    const isAllMeasured = names.every((name) => labelsOf.has(name));
    if (isAllMeasured) expect(known).toEqual(expect.arrayContaining(labelsIn(expr)));
  });

  it('record each series once, and none that nobody looks at', () => {
    const names = recorded.map(({ record }) => record);
    expect(new Set(names).size).toBe(names.length);
    const variables = board.templating.list.flatMap(({ query }) => (typeof query === 'object' ? [query.query] : []));
    const used = new Set([...expressions, ...variables].flatMap(recordedIn));
    expect([...used].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });

  it('look at one fleet at a time', () => {
    const looking = board.panels.flatMap((panel) => panel.targets ?? []);
    for (const { expr } of looking) {
      const series = [...metricsIn(expr), ...recordedIn(expr)];
      for (const name of series) expect(expr).toContain(`${name}{job="$job"`);
    }
  });

  it('have balanced brackets', () => {
    for (const expr of expressions) {
      expect(expr.split('(').length, expr).toBe(expr.split(')').length);
      expect(expr.split('{').length, expr).toBe(expr.split('}').length);
    }
  });

  it('show every panel once and none over another', () => {
    const { panels } = board;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const [index, one] of panels.entries()) {
      for (const other of panels.slice(index + 1)) {
        const a = one.gridPos;
        const b = other.gridPos;
        const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
        expect(isApart, `${one.title} / ${other.title}`).toBe(true);
      }
    }
  });

  it('tell what to do with each alert', () => {
    for (const { annotations } of alerts) expect(annotations.action.length).toBeGreaterThan(30);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });
});
