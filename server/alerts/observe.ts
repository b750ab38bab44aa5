import type { ModelView, Observation, ProcessView, ReplicaView } from '#lib/alerts/types.ts';
import type { RankReading } from '#lib/engine/types.ts';
import { freshReading } from '#server/router/engine-process.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { RequestRow } from '#server/store/store.ts';

/** Adds up what finished requests told of the cache, by model. */
export type CacheSums = {
  add(row: RequestRow): void;
  of(model: string): ModelView;
};

export function createCacheSums(): CacheSums {
  const sums = new Map<string, ModelView>();
  const of = (model: string): ModelView => sums.get(model) ?? { model, requests: 0, promptTokens: 0, cachedTokens: 0 };
  return {
    of,
    add({ model, promptTokens, cachedTokens }) {
      if (promptTokens === null || cachedTokens === null) return;
      const before = of(model);
      sums.set(model, {
        model,
        requests: before.requests + 1,
        promptTokens: before.promptTokens + promptTokens,
        cachedTokens: before.cachedTokens + cachedTokens,
      });
    },
  };
}

/** The models as the rules look at them. `now`: ms since the epoch, as the readings have it. */
export function viewModels(
  models: readonly ModelRuntime[],
  sums: CacheSums,
  now: number,
): Pick<Observation, 'processes' | 'replicas' | 'models'> {
  return {
    processes: models.flatMap(processViews),
    replicas: models.flatMap((model) => replicaViews(model, now)),
    models: models.map(({ name }) => sums.of(name)),
  };
}

function processViews(model: ModelRuntime): readonly ProcessView[] {
  const isWholeModelDown = !model.processes.some(({ up }) => up);
  return model.processes.map(({ url, up, restartedAt }) => ({
    model: model.name,
    url,
    up,
    isWholeModelDown,
    restartedAt,
  }));
}

function replicaViews(model: ModelRuntime, now: number): readonly ReplicaView[] {
  const alive = aliveTokens(model);
  return model.replicas.map(([replica, { process, position }]) => {
    const reading = process.up ? freshReading(process, now) : null;
    const rank = reading?.ranks[position];
    return {
      model: model.name,
      replica,
      url: process.url,
      readAt: rank === undefined ? null : (reading?.takenAt ?? null),
      waiting: rank?.waiting ?? null,
      tokens: tokensOf(rank),
      workingSetTokens: alive?.[replica] ?? null,
      capacityTokens: rank === undefined ? null : model.capacityTokens(replica),
    };
  });
}

/**
 * Tokens of the conversations that live on each replica. Null where admission holds turns back, which is what is done
 * about too many, and where affinity is off.
 */
function aliveTokens({ admission }: ModelRuntime): readonly number[] | null {
  if (admission.mode !== 'watching') return null;
  return admission.view().live.replicas.map(({ tokens }) => Math.round(tokens));
}

/** Null where the engine reports neither: then nobody can tell whether it stands still. */
function tokensOf(rank: RankReading | undefined): number | null {
  if (rank === undefined) return null;
  const { computedTokens, promptTokens, generationTokens } = rank;
  const prompt = computedTokens ?? promptTokens;
  return prompt === null && generationTokens === null ? null : (prompt ?? 0) + (generationTokens ?? 0);
}
