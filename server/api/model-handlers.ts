import { advise } from '#lib/advice/advise.ts';
import { LIMITS } from '#lib/advice/limits.ts';
import type { InFlightList } from '#lib/contract/activity.ts';
import type { ModelAdvice } from '#lib/contract/advice.ts';
import { shownKey } from '#server/router/shown-key.ts';
import { ADVICE_WINDOW_SECONDS, adviceFacts } from './advice-facts.ts';
import type { ApiCall } from './handlers.ts';
import { modelOf } from './parameters.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** The requests that hold a place now, from the router's own leases. */
export async function getInFlight(call: ApiCall): Promise<InFlightList> {
  const model = modelOf(call);
  return {
    model: model.name,
    time: iso(call.context.now()),
    requests: model.inFlight.all().map(({ id, startedAt, client, request, decision, replica, firstByteAt }) => ({
      id,
      started_at: iso(startedAt),
      client,
      session: request.key === null ? null : shownKey(request.key.hash),
      session_source: request.key?.source ?? null,
      side: request.role === 'side',
      replica,
      decision: decision.kind,
      reason: decision.reason,
      state: firstByteAt === null ? 'waiting' : 'streaming',
      first_byte_at: firstByteAt === null ? null : iso(firstByteAt),
    })),
  };
}

/** What the counters of a model say could be better. */
export async function getAdvice(call: ApiCall): Promise<ModelAdvice> {
  const { store, now } = call.context;
  const model = modelOf(call);
  const facts = await adviceFacts(model, store, now());
  return {
    model: model.name,
    window_seconds: ADVICE_WINDOW_SECONDS,
    requests: facts.requests.length,
    requests_needed: LIMITS.requests,
    advice: advise(facts),
  };
}
