import type { Logger } from 'pino';
import { type AlertChange, createAlertBook, type PATIENCE } from '#lib/alerts/alert-book.ts';
import { createAlertRules } from '#lib/alerts/alert-rules.ts';
import { alertMessage } from '#lib/alerts/alert-words.ts';
import { ALERT_CODES, type Alert, type AlertCode, type Observation } from '#lib/alerts/types.ts';
import type { AlertList, AlertView } from '#lib/contract/alerts.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { RequestRow, Store } from '#server/store/store.ts';
import { alertNotice, alertView } from './alert-view.ts';
import { type DiskSpaceOf, diskSpaceOf } from './disk-space.ts';
import { createCacheSums, viewModels } from './observe.ts';
import type { Webhook } from './webhook.ts';

export type AlertWatchOptions = {
  readonly version: string;
  readonly models: () => readonly ModelRuntime[];
  readonly dataDir: string;
  readonly store: Pick<Store, 'recordEvent'>;
  readonly webhook: Webhook | null;
  readonly now: () => number;
  readonly log: Logger;
  readonly senses?: AlertSenses;
};

/** How often is looked, by which clock, and how long each rule waits; what is left out is as in production. */
export type AlertSenses = {
  readonly everyMs?: number;
  readonly diskEveryMs?: number;
  readonly patience?: typeof PATIENCE;
  /** ms of a clock that nobody sets: the one on the wall may jump by hours. */
  readonly steadyNow?: () => number;
  readonly diskSpace?: DiskSpaceOf;
};

export type AlertWatch = {
  /** Told of every finished request. */
  observe(row: RequestRow): void;
  /** A request came without a valid key. */
  keyRefused(): void;
  list(): AlertList;
  /** How many alerts of each kind are raised, 0 included. */
  counts(): ReadonlyMap<AlertCode, number>;
  close(): Promise<void>;
};

const EVERY_MS = 5_000;
const DISK_EVERY_MS = 60_000;
const RESOLVED_KEPT = 50;
/** These have an event of the router's own. */
const OTHERWISE_RECORDED: ReadonlySet<AlertCode> = new Set(['engine_down', 'engine_restarted']);

/** Looks at everything every few seconds, and tells when something is wrong and when it is over. */
export function createAlertWatch(options: AlertWatchOptions): AlertWatch {
  const { models, now, log, webhook, senses = {} } = options;
  const steadyNow = senses.steadyNow ?? (() => performance.now());
  const rules = createAlertRules();
  const book = createAlertBook(senses.patience);
  const sums = createCacheSums();
  const disk = watchDisk(options.dataDir, senses, log);
  const resolved: AlertView[] = [];
  let refusedKeys = 0;

  const tell = ({ kind, alert }: AlertChange): void => {
    const view = alertView(alert, kind === 'resolved' ? now() : null);
    if (kind === 'resolved') resolved.unshift(view);
    resolved.splice(RESOLVED_KEPT);
    webhook?.send(alertNotice(options.version, view));
    log[kind === 'raised' ? 'warn' : 'info']({ alert: alert.code, ...alert.subject }, `${kind}: ${view.message}`);
    record(options.store, kind, alert, now());
  };

  const look = (): void => {
    const observation: Observation = {
      at: steadyNow(),
      now: now(),
      ...viewModels(models(), sums, now()),
      disk: disk.space(),
      refusedKeys,
    };
    for (const change of book.update(rules(observation), observation.at, observation.now)) tell(change);
  };
  const timer = setInterval(look, senses.everyMs ?? EVERY_MS).unref();

  return {
    observe: sums.add,
    keyRefused() {
      refusedKeys += 1;
    },
    list: () => ({ alerts: inOrderOfUrgency(book.raised()).map((alert) => alertView(alert, null)), resolved }),
    counts() {
      const raised = book.raised();
      return new Map(ALERT_CODES.map((code) => [code, raised.filter((alert) => alert.code === code).length]));
    },
    async close() {
      clearInterval(timer);
      disk.stop();
      await webhook?.close();
    },
  };
}

const SEVERITIES = ['critical', 'warning', 'info'];

function inOrderOfUrgency(alerts: readonly Alert[]): readonly Alert[] {
  const rank = ({ code, severity }: Alert): number => SEVERITIES.indexOf(severity) * 100 + ALERT_CODES.indexOf(code);
  return [...alerts].sort((a, b) => rank(a) - rank(b));
}

function record(store: Pick<Store, 'recordEvent'>, kind: AlertChange['kind'], alert: Alert, at: number): void {
  if (OTHERWISE_RECORDED.has(alert.code)) return;
  const detail = kind === 'raised' ? alertMessage(alert) : `over: ${alertMessage(alert)}`;
  const { replica, url } = alert.subject;
  const facts = {
    code: alert.code,
    ...(replica === null ? {} : { replica }),
    ...(url === null ? {} : { url }),
    ...alert.values,
  };
  store.recordEvent({ at, model: alert.subject.model, kind: `alert_${kind}`, detail, facts });
}

/** Asks now and then how much room the data folder's disk has; null until it is known. */
function watchDisk(
  dataDir: string,
  { diskSpace = diskSpaceOf, diskEveryMs = DISK_EVERY_MS }: AlertSenses,
  log: Logger,
) {
  let space: Observation['disk'] = null;
  const ask = async (): Promise<void> => {
    try {
      space = await diskSpace(dataDir);
    } catch (error) {
      if (space !== null) log.warn({ err: error, dataDir }, 'cannot tell how full the disk is');
      space = null;
    }
  };
  void ask();
  const timer = setInterval(() => void ask(), diskEveryMs).unref();
  return { space: () => space, stop: () => clearInterval(timer) };
}
