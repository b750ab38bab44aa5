import { eventList, processStatus } from '#lib/contract/activity.ts';
import { alertList } from '#lib/contract/alerts.ts';
import { benchmarkList, benchmarkRun } from '#lib/contract/benchmark.ts';
import { fleetFigures, fleetState } from '#lib/contract/fleet.ts';
import { modelList, routingState } from '#lib/contract/models.ts';
import { keys } from './keys.ts';
import { usePoll } from './poll.ts';

const LIVE_MS = 2_000;
const LIST_MS = 5_000;
/** What does not change any more. */
const SETTLED_MS = 600_000;

/** The process: version, warnings, whether the fleet is simulated. */
export function useStatus() {
  return usePoll({ key: keys.status(), path: '/api/status', schema: processStatus, everyMs: LIVE_MS });
}

export function useModels() {
  return usePoll({ key: keys.models(), path: '/api/models', schema: modelList, everyMs: LIVE_MS });
}

export function useRouting(model: string) {
  return usePoll({ key: keys.routing(model), path: routingPath(model), schema: routingState, everyMs: LIVE_MS });
}

/** Names contain slashes, so a name is one percent-encoded segment. */
export function routingPath(model: string): string {
  return `/api/models/${encodeURIComponent(model)}/routing`;
}

export function useEvents(model: string | null, limit: number) {
  return usePoll({
    key: keys.events(model, limit),
    path: `/api/events?${query({ model, limit: String(limit) })}`,
    schema: eventList,
    everyMs: LIST_MS,
    keepPrevious: true,
  });
}

/** The wardens that share one memory. */
export function useFleet() {
  return usePoll({ key: keys.fleet(), path: '/api/fleet', schema: fleetState, everyMs: LIVE_MS });
}

/** What each of them took in the last 15 minutes. */
export function useFleetFigures() {
  return usePoll({ key: keys.fleetFigures(), path: '/api/fleet/figures', schema: fleetFigures, everyMs: LIST_MS });
}

/** What is wrong now, and what was. */
export function useAlerts() {
  return usePoll({ key: keys.alerts(), path: '/api/alerts', schema: alertList, everyMs: LIST_MS, keepPrevious: true });
}

/** All benchmark runs, and how the one under way goes. */
export function useBenchmarks() {
  return usePoll({ key: keys.benchmarks(), path: '/api/benchmarks', schema: benchmarkList, everyMs: LIVE_MS });
}

/** One run with its report. `status` as in the list: a run is asked for again when it ends. */
export function useBenchmark(id: number, status: string) {
  return usePoll({
    key: keys.benchmark(id, status),
    path: `/api/benchmarks/${id}`,
    schema: benchmarkRun,
    everyMs: SETTLED_MS,
    keepPrevious: true,
  });
}

function query(parameters: Readonly<Record<string, string | null>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) search.set(name, value);
  return search.toString();
}
