import type { ModelConfig } from './schema.ts';

export type ComposedModels = {
  readonly models: readonly ModelConfig[];
  /** Models of the console that are not served, because the configuration has one of that name. */
  readonly shadowed: readonly string[];
};

type Parts = {
  /** From `warden.yaml`, `WARDEN_UPSTREAM` or the embedded fleet. */
  readonly configured: readonly ModelConfig[];
  /** The configured ones are the embedded fleet. */
  readonly isSimulated: boolean;
  readonly managed: readonly ModelConfig[];
  readonly removed: ReadonlySet<string>;
};

/**
 * The models to serve. The configuration wins over the console, because the console cannot change it; only the
 * simulated fleet gives way: it can be removed, and leaves a name to a real model that wants it.
 */
export function composeModels({ configured, isSimulated, managed, removed }: Parts): ComposedModels {
  const names = new Set(configured.map(({ name }) => name));
  const served = managed.filter(({ name }) => isSimulated || !names.has(name));
  const wanted = new Set(served.flatMap(({ name, aliases }) => [name, ...aliases]));
  const own = !isSimulated
    ? configured
    : configured
        .filter(({ name }) => !removed.has(name) && !wanted.has(name))
        .map((model) => ({ ...model, aliases: model.aliases.filter((alias) => !wanted.has(alias)) }));
  return {
    models: [...own, ...served],
    shadowed: managed.filter((model) => !served.includes(model)).map(({ name }) => name),
  };
}
