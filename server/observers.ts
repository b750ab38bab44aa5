import type { ServerResponse } from 'node:http';
import { type AlertSenses, type AlertWatch, createAlertWatch } from './alerts/alert-watch.ts';
import { createWebhook } from './alerts/webhook.ts';
import { createMetrics, type MetricsOptions } from './metrics/metrics.ts';
import type { RequestRow, Store } from './store/store.ts';

export type ObserverOptions = Omit<MetricsOptions, 'store' | 'alerts'> & {
  readonly store: Store;
  readonly dataDir: string;
  /** Where alerts are sent; null sends none. */
  readonly alertWebhook: string | null;
  readonly alertSenses: AlertSenses | undefined;
};

/** All that is told of requests once they are over: the database, the metrics, the alerts. */
export type Observers = {
  readonly alerts: Pick<AlertWatch, 'list'>;
  onFinished(row: RequestRow): void;
  onRefused(code: string, status: number): void;
  sendMetrics(res: ServerResponse): Promise<void>;
  close(): Promise<void>;
};

const UNAUTHORIZED = 401;

export function createObservers(options: ObserverOptions): Observers {
  const { version, models, store, dataDir, alertWebhook, alertSenses, now, log } = options;
  const webhook = alertWebhook === null ? null : createWebhook({ url: alertWebhook, log });
  const senses = alertSenses === undefined ? {} : { senses: alertSenses };
  const alerts = createAlertWatch({ version, models, dataDir, store, webhook, now, log, ...senses });
  const metrics = createMetrics({ ...options, alerts: alerts.counts });
  return {
    alerts,
    onFinished(row) {
      store.recordRequest(row);
      metrics.observe(row);
      alerts.observe(row);
    },
    onRefused(code, status) {
      metrics.refused(code, status);
      if (status === UNAUTHORIZED) alerts.keyRefused();
    },
    sendMetrics: metrics.send,
    close: alerts.close,
  };
}
