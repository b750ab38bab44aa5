import { lineLook, PALETTE } from '#components/charts/palette.ts';
import type { ChartPoint, ChartSeries } from '#components/charts/series.ts';
import type { Drawn } from '#components/charts/series-panel.tsx';
import type { ReplicaSeries } from '#lib/contract/series.ts';
import { PANEL_HEIGHT } from './heights.ts';
import type { Words } from './words.ts';

type Replica = ReplicaSeries['replicas'][number];
/** What is drawn with a line per replica. */
export type ReplicaColumn = 'kv_cache_usage_percent' | 'prefix_cache_hit_percent';

const MEAN = 'mean';

/** A line per replica; compared with the period before by the mean of all. */
export function drawReplicas(data: ReplicaSeries, column: ReplicaColumn, words: Words): Omit<Drawn, 'empty'> {
  const { t, format } = words;
  const { replicas } = data;
  const models = new Set(replicas.map(({ model }) => model));
  const percent = (value: number) => format.percent(value);
  const nameOf = ({ model, replica }: Replica) =>
    models.size < 2 ? t('replica', { replica: String(replica) }) : t('replicaOf', { model, replica: String(replica) });
  const lines = replicas.map((one, index): ChartSeries => {
    const name = `${models.size < 2 ? '' : `${one.model} `}replica_${one.replica}`;
    return {
      key: keyOf(one),
      label: nameOf(one),
      look: 'line',
      ...lineLook(index),
      column: `${name} ${column}`,
      format: percent,
    };
  });
  const mean: ChartSeries = {
    key: MEAN,
    label: t('mean'),
    color: PALETTE.muted,
    look: 'none',
    overlay: true,
    column: `mean ${column}`,
    format: percent,
  };
  return {
    series: replicas.length < 2 ? lines.map((line) => ({ ...line, overlay: true })) : [...lines, mean],
    points: pointsOf(data, (index) => {
      const values = replicas.map((one): [string, number | null] => [keyOf(one), one[column][index] ?? null]);
      return { ...Object.fromEntries(values), [MEAN]: meanOf(values.map(([, value]) => value)) };
    }),
    plots: [
      {
        keys: [...lines.map(({ key }) => key), ...(replicas.length < 2 ? [] : [MEAN])],
        height: PANEL_HEIGHT,
        scale: { ticks: 5, format: (value) => format.percent(value, 0), most: 100 },
      },
    ],
    figures: figuresOf(replicas, column, words),
  };
}

function figuresOf(replicas: readonly Replica[], column: ReplicaColumn, { t, format }: Words): Drawn['figures'] {
  const values = replicas.map(({ totals }) => totals[column]).filter((value) => value !== null);
  const figure = (key: 'mean' | 'least' | 'most', value: number | null) =>
    ({
      key,
      label: t(`replicas.${key}`),
      kind: 'share',
      value,
      format: (share: number) => format.percent(share),
    }) as const;
  const none = values.length === 0;
  return [
    figure('mean', meanOf(values)),
    figure('least', none ? null : Math.min(...values)),
    figure('most', none ? null : Math.max(...values)),
  ];
}

const keyOf = ({ model, replica }: Replica): string => `${replica} ${model}`;

/** Requests in the engines, running and waiting, summed over the replicas. */
export function drawLoad(data: ReplicaSeries, { t, format }: Words): Omit<Drawn, 'empty'> {
  const shared = { look: 'line', overlay: true, format: format.compact } as const;
  const mean = (values: readonly (number | null)[]) => meanOf(values);
  const highest = data.requests_waiting_max.filter((value) => value !== null);
  return {
    series: [
      {
        key: 'running',
        label: t('load.running'),
        color: PALETTE.accent,
        line: '',
        marker: 'circle',
        column: 'requests_running',
        ...shared,
      },
      {
        key: 'waiting',
        label: t('load.waiting'),
        color: 'var(--series-1)',
        line: '6 3',
        marker: 'square',
        column: 'requests_waiting',
        ...shared,
      },
    ],
    points: pointsOf(data, (index) => ({
      running: data.requests_running[index] ?? null,
      waiting: data.requests_waiting[index] ?? null,
    })),
    plots: [{ keys: ['running', 'waiting'], height: PANEL_HEIGHT, scale: { ticks: 5, format: format.compact } }],
    figures: [
      {
        key: 'running',
        label: t('load.meanRunning'),
        kind: 'amount',
        value: mean(data.requests_running),
        format: format.compact,
      },
      {
        key: 'waiting',
        label: t('load.meanWaiting'),
        kind: 'amount',
        value: mean(data.requests_waiting),
        format: format.compact,
      },
      {
        key: 'most',
        label: t('load.mostWaiting'),
        kind: 'amount',
        value: highest.length === 0 ? null : Math.max(...highest),
        format: format.compact,
      },
    ],
  };
}

function pointsOf(data: ReplicaSeries, valuesAt: (index: number) => ChartPoint['values']): ChartPoint[] {
  return data.times.map((time, index) => ({
    time: Date.parse(time),
    filling: data.last_bucket_filling && index === data.times.length - 1,
    values: valuesAt(index),
    before: null,
  }));
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
