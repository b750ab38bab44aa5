import { inFlightList } from '#lib/contract/activity.ts';
import { modelAdvice } from '#lib/contract/advice.ts';
import { keys } from './keys.ts';
import { usePoll } from './poll.ts';

const LIVE_MS = 2_000;
/** Advice is made from an hour's requests: it does not change from one to the next. */
const ADVICE_MS = 10_000;

/** The requests of a model that hold a place now. */
export function useInFlight(model: string) {
  const path = `/api/models/${encodeURIComponent(model)}/in-flight`;
  return usePoll({ key: keys.inFlight(model), path, schema: inFlightList, everyMs: LIVE_MS });
}

export function useAdvice(model: string) {
  const path = `/api/models/${encodeURIComponent(model)}/advice`;
  return usePoll({ key: keys.advice(model), path, schema: modelAdvice, everyMs: ADVICE_MS });
}
