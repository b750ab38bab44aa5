import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { DiscoverEntry, ModelConfig } from '#lib/config/schema.ts';
import { discover } from './discover.ts';
import type { Discovery, DiscoveryEvents } from './discovery.ts';

export type DiscoveredModels = {
  /** The models with the replicas that were found for them; starts and ends what finds them. */
  resolve(models: readonly ModelConfig[]): readonly ModelConfig[];
  warnings(): readonly { readonly code: string; readonly message: string }[];
  close(): void;
};

type Found = { readonly entry: DiscoverEntry; urls: readonly string[]; trouble: string | null; discovery: Discovery };

/** Finds the replicas of the models that say where to look. `onChange`: `resolve` has something else to say. */
export function createDiscoveredModels(
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
  onChange: () => void,
): DiscoveredModels {
  const found = new Map<string, Found>();

  const begin = (name: string, entry: DiscoverEntry): Found => {
    const one: Found = { entry, urls: [], trouble: null, discovery: { close() {} } };
    found.set(name, one);
    const events: DiscoveryEvents = {
      onReplicas(urls) {
        one.urls = urls;
        onChange();
      },
      onTrouble(message) {
        one.trouble = message;
      },
      log,
    };
    try {
      one.discovery = discover(entry, env, events);
    } catch (error) {
      one.trouble = error instanceof Error ? error.message : String(error);
      log.error({ model: name }, one.trouble);
    }
    return one;
  };

  const end = (name: string): void => {
    found.get(name)?.discovery.close();
    found.delete(name);
  };

  const resolveOne = (model: ModelConfig): ModelConfig => {
    const { discover: entry } = model;
    if (entry === undefined) return model;
    let known = found.get(model.name);
    if (known !== undefined && !isDeepStrictEqual(known.entry, entry)) {
      end(model.name);
      known = undefined;
    }
    const { urls } = known ?? begin(model.name, entry);
    const listed = new Set(model.replicas.map(({ url }) => url));
    const more = urls.filter((url) => !listed.has(url)).map((url) => ({ url, ranks: 'auto' as const }));
    return { ...model, replicas: [...model.replicas, ...more] };
  };

  return {
    resolve(models) {
      const wanted = new Set(models.flatMap((model) => (model.discover === undefined ? [] : [model.name])));
      for (const name of [...found.keys()]) if (!wanted.has(name)) end(name);
      return models.map(resolveOne);
    },
    warnings: () =>
      [...found].flatMap(([name, { trouble }]) =>
        trouble === null ? [] : [{ code: 'discovery', message: `Replicas of ${name}: ${trouble}.` }],
      ),
    close() {
      for (const name of [...found.keys()]) end(name);
    },
  };
}
