import type { ProbedEngine, ProbedUrl, ProbeResult, ProbeWarning } from '#lib/contract/managed-models.ts';

/** Claude Code asks for Claude names unless told otherwise. */
const CLAUDE = 'claude-*';
/** Caches that differ by less are of the same cards. */
const CAPACITY_RATIO = 1.1;

type Others = {
  /** Names and aliases of other models that stay as they are. */
  readonly takenNames: ReadonlySet<string>;
  /** Which other model has a URL. */
  readonly takenUrls: ReadonlyMap<string, string>;
};

/** What the model of these URLs would be, and what a person should know of it before saving. */
export function probeSummary(urls: readonly ProbedUrl[], others: Others): Omit<ProbeResult, 'urls'> {
  const found = urls.flatMap(({ url, engine }) => (engine === null ? [] : [{ url, engine }]));
  return {
    suggestion: suggestionOf(
      found.map(({ engine }) => engine),
      others.takenNames,
    ),
    warnings: [...urlWarnings(urls, others.takenUrls), ...engineWarnings(found)],
  };
}

function suggestionOf(engines: readonly ProbedEngine[], taken: ReadonlySet<string>): ProbeResult['suggestion'] {
  const [first] = engines;
  const common = (first?.models ?? []).filter(({ id }) =>
    engines.every(({ models }) => models.some((model) => model.id === id)),
  );
  // Engines that share no model are warned of; the first one's is as good as any.
  const served = (common.length > 0 ? common : (first?.models ?? [])).map(({ id }) => id);
  const [name] = served;
  if (name === undefined) return null;
  const known = engines.flatMap((engine) => engine.max_num_seqs ?? []);
  return {
    name: freeName(name, taken),
    served_model_name: name,
    served_models: served,
    aliases: taken.has(CLAUDE) ? [] : [CLAUDE],
    replicas: engines.reduce((sum, engine) => sum + (engine.ranks ?? 1), 0),
    max_num_seqs: known.length === 0 ? null : Math.min(...known),
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

function urlWarnings(urls: readonly ProbedUrl[], taken: ReadonlyMap<string, string>): ProbeWarning[] {
  const names = urls.map(({ url }) => url);
  const twice = new Set(names.filter((url, index) => names.indexOf(url) !== index));
  return [
    ...[...twice].map((url) => ({ code: 'url_twice', url }) as const),
    ...[...new Set(names)].flatMap((url) => {
      const model = taken.get(url);
      return model === undefined ? [] : [{ code: 'url_taken', url, model } as const];
    }),
  ];
}

function engineWarnings(found: readonly { readonly url: string; readonly engine: ProbedEngine }[]): ProbeWarning[] {
  const engines = found.map(({ engine }) => engine);
  const each = found.flatMap(({ url, engine }): ProbeWarning[] => {
    if (engine.metrics_problem !== null) return [{ code: 'no_metrics', url, why: engine.metrics_problem }];
    if (engine.prefix_caching === false) return [{ code: 'prefix_caching_off', url }];
    return engine.kv_capacity_tokens === null ? [{ code: 'capacity_unknown', url }] : [];
  });
  const replicas = engines.reduce((sum, engine) => sum + (engine.ranks ?? 1), 0);
  const unknown = engines.some((engine) => engine.max_num_seqs === null);
  return [
    ...differences(engines),
    ...each,
    ...(engines.length > 0 && unknown ? [{ code: 'max_num_seqs_unknown' } as const] : []),
    ...(replicas === 1 ? [{ code: 'one_replica' } as const] : []),
  ];
}

function differences(engines: readonly ProbedEngine[]): ProbeWarning[] {
  const models = [...new Set(engines.flatMap((engine) => engine.models[0]?.id ?? []))];
  const versions = [...new Set(engines.flatMap((engine) => engine.version ?? []))].sort();
  const capacities = engines.flatMap((engine) => engine.kv_capacity_tokens ?? []);
  const contexts = engines.flatMap((engine) => engine.models[0]?.max_model_len ?? []);
  const ends = (values: readonly number[]) => ({ least_tokens: Math.min(...values), most_tokens: Math.max(...values) });
  const warnings: ProbeWarning[] = [];
  if (models.length > 1) warnings.push({ code: 'models_differ', models });
  if (versions.length > 1) warnings.push({ code: 'versions_differ', versions });
  if (capacities.length > 1 && Math.max(...capacities) > CAPACITY_RATIO * Math.min(...capacities)) {
    warnings.push({ code: 'capacities_differ', ...ends(capacities) });
  }
  if (new Set(contexts).size > 1) warnings.push({ code: 'context_differs', ...ends(contexts) });
  return warnings;
}
