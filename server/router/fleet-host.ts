import { z } from 'zod';
import type { FleetHost } from '#server/fleet/fleet.ts';
import type { SharedModel } from '#server/fleet/shared-model.ts';
import type { ModelSetting } from '#server/store/store.ts';
import { replicaId } from './engine-process.ts';
import type { ModelRuntime } from './model-runtime.ts';

/** What the wardens of a fleet have in common of a model's settings. Draining replicas go by their names. */
export type SharedSetting = { readonly setting: ModelSetting; readonly draining: readonly string[] };

/** As the console's API takes them; null, as where a warden of another version does not know one: not set there. */
const sharedSetting = z.object({
  setting: z.object({
    affinity: z.boolean().nullable().default(null),
    spillThreshold: z
      .union([z.number().int().min(1), z.literal('auto')])
      .nullable()
      .default(null),
    cacheFit: z.boolean().nullable().default(null),
    yieldAfterMs: z
      .union([z.number().min(0), z.literal('auto')])
      .nullable()
      .default(null),
  }),
  draining: z.array(z.string()),
});

/** The name of a number whose replica has left. */
const GONE = '';

export type FleetHostOptions = {
  readonly model: ModelRuntime;
  readonly shared: () => SharedModel | null;
  /** `by`: who it comes from, for the audit list. */
  readonly take: (shared: SharedSetting, by: string) => Promise<void>;
  readonly elsewhereChanged: () => void;
};

/** A model as the fleet sees it. */
export function createFleetHost({ model, shared, take, elsewhereChanged }: FleetHostOptions): FleetHost {
  const named = namesOf(model);
  return {
    name: model.name,
    replicaIds: () => named().ids,
    replicaOf: (id) => named().numbers.get(id) ?? null,
    inFlight: (replica) => model.router.inFlight(replica),
    waitsMs: () => model.admission.waitsMs(),
    told: () => model.admission.tell(),
    liveSessions: (replica) => model.router.liveSessions(replica),
    served: () => {
      const { live, replicas } = model.admission.view();
      return replicas.map(({ unsharedTokens }, replica) => {
        return { conversations: live.replicas[replica]?.conversations ?? 0, unsharedTokens };
      });
    },
    homes: () => model.router.homes(),
    adopt: (key, replica) => model.router.adopt(key, replica),
    forget: (keyHash) => model.router.forget(keyHash),
    movedByHand: (keyHash) => model.admission.movedByHand(keyHash),
    info: () => {
      const { live, tokens } = shared()?.ownShare() ?? { live: {}, tokens: {} };
      return {
        in_flight: model.router.inFlightTotal(),
        held: model.admission.waitsMs().length,
        live_sessions: live,
        working_set_tokens: tokens,
      };
    },
    setting: () => JSON.stringify({ setting: model.setting, draining: model.drainedNames }),
    applySetting: (json, by) => take(sharedSetting.parse(JSON.parse(json)), by),
    elsewhereChanged,
  };
}

/** Asked with every request: made anew only where the replicas are others. */
function namesOf(model: ModelRuntime) {
  let { places } = model;
  const build = () => {
    // One that has left keeps its number for a while, and its name may be another's by now.
    const ids = places.map((place) => (place.process.isGone ? GONE : replicaId(place)));
    const numbers = new Map(ids.flatMap((id, replica) => (id === GONE ? [] : [[id, replica] as const])));
    return { ids, numbers };
  };
  let names = build();
  return () => {
    if (model.places !== places) {
      places = model.places;
      names = build();
    }
    return names;
  };
}
