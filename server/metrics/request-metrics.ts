import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestRow } from '#server/store/store.ts';

/** What is counted of finished requests: each once, when it is over. */
export type RequestMetrics = {
  observe(row: RequestRow): void;
  /** A request that the router answered itself, without a place on a replica. `code`: one of the router's own. */
  refused(code: string, status: number): void;
  /** A model that is no longer configured takes its series with it. */
  keepModels(names: ReadonlySet<string>): Promise<void>;
};

/** Seconds. A cached turn answers in tenths of a second, a cold prompt in an overload after minutes. */
const TTFB_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];
const DURATION_BUCKETS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280];

type Instruments = ReturnType<typeof createInstruments>;

/** Labels are models of the configuration, replicas and fixed words only: what clients send never makes a series. */
export function createRequestMetrics(register: Registry): RequestMetrics {
  const instruments = createInstruments(register);
  return {
    observe(row) {
      countDecision(instruments, row);
      countTokens(instruments, row);
      observeTimes(instruments, row);
    },
    refused: (code, status) => instruments.refused.inc({ code, status: statusLabel(status) }),
    async keepModels(names) {
      const { refused, ...ofModels } = instruments;
      for (const metric of Object.values<Counter | Histogram>(ofModels)) await dropOthers(metric, names);
    },
  };
}

function createInstruments(register: Registry) {
  const registers = [register];
  const counter = (name: string, labelNames: string[], help: string): Counter =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, buckets: number[], help: string): Histogram =>
    new Histogram({ name, help, labelNames: ['model'], buckets, registers });
  return {
    requests: counter(
      'warden_requests_total',
      ['model', 'decision', 'status'],
      'Finished requests that had a place, by decision and HTTP status.',
    ),
    perReplica: counter(
      'warden_replica_requests_total',
      ['model', 'replica', 'decision'],
      'Finished requests of each replica, by decision; replica "engine" where the engine chose.',
    ),
    spills: counter(
      'warden_spills_total',
      ['model', 'replica'],
      'Requests that a replica took because their home was at its spill threshold.',
    ),
    outcomes: counter('warden_request_outcomes_total', ['model', 'outcome'], 'Finished requests by how they ended.'),
    refused: counter(
      'warden_refused_requests_total',
      ['code', 'status'],
      'Requests that the router answered itself, without a place on a replica, by its error code.',
    ),
    prompt: counter(
      'warden_prompt_tokens_total',
      ['model', 'source'],
      'Prompt tokens of finished requests; what was not reported as cached counts as computed.',
    ),
    completion: counter('warden_completion_tokens_total', ['model'], 'Completion tokens of finished requests.'),
    measured: counter(
      'warden_measured_requests_total',
      ['model'],
      'Finished requests for which the engine told how many prompt tokens were cached.',
    ),
    ttfb: histogram(
      'warden_time_to_first_byte_seconds',
      TTFB_BUCKETS,
      'From accepting a request to the first body byte sent on; answers without an error.',
    ),
    duration: histogram(
      'warden_request_duration_seconds',
      DURATION_BUCKETS,
      'From accepting a request to its end; requests that ended well.',
    ),
  };
}

function countDecision({ requests, perReplica, outcomes, spills }: Instruments, row: RequestRow): void {
  const { model, decision, outcome } = row;
  const replica = row.replica === null ? 'engine' : String(row.replica);
  requests.inc({ model, decision, status: statusLabel(row.status) });
  perReplica.inc({ model, replica, decision });
  outcomes.inc({ model, outcome });
  if (decision === 'spilled') spills.inc({ model, replica });
}

/** A status is the engine's to choose, the number of series is not. */
function statusLabel(status: number): string {
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : 'other';
}

/** The same sums as on the Stats page: a request that was not measured counts as computed. */
function countTokens({ prompt, completion, measured }: Instruments, row: RequestRow): void {
  const { model, promptTokens, cachedTokens, completionTokens } = row;
  if (promptTokens !== null) {
    const cached = Math.min(cachedTokens ?? 0, promptTokens);
    prompt.inc({ model, source: 'cached' }, cached);
    prompt.inc({ model, source: 'computed' }, promptTokens - cached);
    if (cachedTokens !== null) measured.inc({ model });
  }
  if (completionTokens !== null) completion.inc({ model }, completionTokens);
}

/** The same requests as on the Stats page: an error is answered fast, and a client that left ended its own request. */
function observeTimes({ ttfb, duration }: Instruments, row: RequestRow): void {
  const { model, status, outcome, ttfbMs } = row;
  if (status >= 400) return;
  if (ttfbMs !== null && (outcome === 'ok' || outcome === 'client_left')) ttfb.observe({ model }, ttfbMs / 1000);
  if (outcome === 'ok') duration.observe({ model }, Math.max(0, row.finishedAt - row.startedAt) / 1000);
}

async function dropOthers(metric: Counter | Histogram, names: ReadonlySet<string>): Promise<void> {
  const { values } = await metric.get();
  for (const { labels } of values) {
    if (names.has(String(labels.model))) continue;
    const { le, ...own } = labels;
    metric.remove(own);
  }
}
