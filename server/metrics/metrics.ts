import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import type { Fleet } from '#server/fleet/fleet.ts';
import { sendJson } from '#server/http/respond.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { RequestRow, Store } from '#server/store/store.ts';
import { createFleetMetrics } from './fleet-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createSharedMetrics } from './shared-metrics.ts';

export type MetricsOptions = {
  readonly version: string;
  readonly startedAt: number;
  readonly models: () => readonly ModelRuntime[];
  readonly store: Pick<Store, 'backlog' | 'warning'>;
  /** How many alerts of each kind are raised. */
  readonly alerts: () => ReadonlyMap<string, number>;
  /** The wardens that share one memory; null where this is the only one. */
  readonly wardens: Pick<Fleet, 'isUp' | 'members'> | null;
  readonly now: () => number;
  readonly log: Logger;
};

export type Metrics = {
  observe(row: RequestRow): void;
  refused(code: string, status: number): void;
  /** Answers `GET /metrics` with all that is known now, in Prometheus' text format. */
  send(res: ServerResponse): Promise<void>;
};

/** The process's own Prometheus metrics. Counting a request takes microseconds; all else is read when asked for. */
export function createMetrics({
  version,
  startedAt,
  models,
  store,
  alerts,
  wardens,
  now,
  log,
}: MetricsOptions): Metrics {
  const register = new Registry();
  const requests = createRequestMetrics(register);
  const fleet = createFleetMetrics(register);
  const raised = new Gauge({
    name: 'warden_alerts',
    help: 'Alerts that are raised now, by kind; what is wrong is in the console.',
    labelNames: ['code'],
    registers: [register],
  });
  const shared = wardens === null ? null : createSharedMetrics(register, wardens);
  const own = createProcessMetrics(register, version, startedAt, store);
  const read = async (): Promise<string> => {
    await requests.keepModels(new Set(models().map(({ name }) => name)));
    fleet.refresh(models(), now());
    own.refresh();
    shared?.refresh();
    for (const [code, count] of alerts()) raised.set({ code }, count);
    return register.metrics();
  };
  return {
    observe: requests.observe,
    refused: requests.refused,
    async send(res) {
      try {
        const text = await read();
        res.writeHead(200, { 'content-type': register.contentType, 'cache-control': 'no-store' });
        res.end(text);
      } catch (error) {
        log.error({ err: error }, 'the metrics could not be read');
        sendJson(res, 500, { error: 'The metrics could not be read; the log says more.' });
      }
    },
  };
}
