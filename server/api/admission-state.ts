import type { AdmissionView } from '#lib/cache-fit/admission-view.ts';
import type { LiveView } from '#lib/cache-fit/live.ts';
import type { AdmissionState, FitRule } from '#lib/contract/admission.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';

const seconds = (ms: number): number => ms / 1000;

/** Cache-fit admission of a model, for the routing card. */
export function admissionState(model: ModelRuntime): AdmissionState {
  const { admission, policy } = model;
  const view = admission.view();
  const rooms = view.replicas.map((room, replica) => wholeRoom(room, model.workingSetElsewhere(replica)));
  return {
    mode: admission.mode,
    replicas: rooms.map((room, replica) => ({
      replica,
      capacity_tokens: whole(room.capacityTokens),
      capacity_learned: room.isCapacityLearned,
      working_set_tokens: Math.round(room.workingSetTokens),
      alive_tokens: Math.round(view.live.replicas[replica]?.tokens ?? 0),
      alive_conversations: view.live.replicas[replica]?.conversations ?? 0,
    })),
    held: view.held,
    longest_wait_seconds: view.longestWaitMs === null ? null : seconds(view.longestWaitMs),
    held_total: view.heldTotal,
    displaced_total: view.displacedTotal,
    left_total: admission.leftTotal,
    yield_after_seconds: seconds(view.yieldAfterMs),
    yield_after_setting: policy.yieldAfterMs === null ? 'auto' : seconds(policy.yieldAfterMs),
    max_hold_seconds: seconds(admission.maxHoldMs),
    rule: fitRule(view.live, rooms),
  };
}

type Rooms = AdmissionView['replicas'];

/** In a large fleet admission knows only its own conversations; a person is shown what all wardens keep there. */
function wholeRoom(room: Rooms[number], elsewhere: number): Rooms[number] {
  return { ...room, workingSetTokens: room.workingSetTokens + elsewhere };
}

/** Conversations × (context − shared beginning), and the beginning once for each replica, against the caches. */
function fitRule({ conversations, typicalTokens, sharedTokens }: LiveView, rooms: Rooms): FitRule {
  const capacities = rooms.map(({ capacityTokens }) => capacityTokens);
  const fitting = capacities.map((capacity) => fittingOn(capacity, typicalTokens, sharedTokens));
  const fittingAll = sumOrNull(fitting);
  return {
    live_conversations: conversations,
    typical_context_tokens: whole(typicalTokens),
    shared_tokens: Math.round(sharedTokens),
    total_cache_tokens: whole(sumOrNull(capacities)),
    fitting_conversations: fittingAll,
    fits: fittingAll === null ? null : conversations <= fittingAll,
  };
}

function fittingOn(capacity: number | null, typical: number | null, shared: number): number | null {
  if (capacity === null || typical === null) return null;
  return Math.max(0, Math.floor((capacity - shared) / Math.max(1, typical - shared)));
}

/** Null where one is not known, or there is none. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return values.length === 0 || known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0);
}

const whole = (value: number | null): number | null => (value === null ? null : Math.round(value));
