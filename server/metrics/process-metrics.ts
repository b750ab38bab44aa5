import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Store } from '#server/store/store.ts';

/** Build, event loop, memory, and how saving goes. `refresh` reads what is true at this moment. */
export type ProcessMetrics = { refresh(): void };

export function createProcessMetrics(
  register: Registry,
  version: string,
  startedAt: number,
  store: Pick<Store, 'backlog' | 'warning'>,
): ProcessMetrics {
  const registers = [register];
  // Its event-loop delay and its memory have the names of the Node dashboards that people have, with our prefix.
  collectDefaultMetrics({ register, prefix: 'warden_' });
  const info = { name: 'warden_build_info', help: 'The running version.', labelNames: ['version', 'node'], registers };
  new Gauge(info).set({ version, node: process.versions.node }, 1);
  const started = { name: 'warden_start_time_seconds', help: 'When this process began to serve.', registers };
  new Gauge(started).set(startedAt / 1000);
  const waiting = new Gauge({
    name: 'warden_store_waiting_rows',
    help: 'Rows in memory that wait to be written to the database.',
    registers,
  });
  const dropped = new Counter({
    name: 'warden_store_dropped_rows_total',
    help: 'Rows that were lost because they could not be written in time.',
    registers,
  });
  const saving = new Gauge({
    name: 'warden_store_saving',
    help: '1 while statistics and settings are saved; 0 while the console has a warning about it.',
    registers,
  });
  return {
    refresh() {
      const backlog = store.backlog();
      waiting.set(backlog.waiting);
      dropped.reset();
      dropped.inc(backlog.dropped);
      saving.set(store.warning() === null ? 1 : 0);
    },
  };
}
