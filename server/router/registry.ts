import { findModel } from '#lib/config/model-name.ts';
import type { ModelConfig } from '#lib/config/schema.ts';
import type { ModelSetting } from '#server/store/store.ts';
import type { ModelRuntime } from './model-runtime.ts';
import { NO_SETTING } from './policy.ts';

export type ModelRegistry = {
  /** In the order of the configuration. */
  models(): readonly ModelRuntime[];
  /** By name alone, as the console does. */
  named(name: string): ModelRuntime | null;
  /** By name, alias or glob, as a client asks. */
  find(requested: string): ModelRuntime | null;
  /**
   * Makes the running models those of the given configurations. A model whose engines are the same goes on with its
   * homes and all that is in flight; one that went away, or has other engines, stops being chosen at once, while its
   * requests in flight end in their own time.
   */
  apply(configs: readonly ModelConfig[]): Promise<void>;
  /** A model that comes under this name begins with the settings of its configuration. */
  forget(name: string): void;
  close(): Promise<void>;
};

export function createRegistry(
  settings: ReadonlyMap<string, ModelSetting>,
  create: (config: ModelConfig, setting: ModelSetting) => ModelRuntime,
): ModelRegistry {
  let models: readonly ModelRuntime[] = [];
  let applying: Promise<void> = Promise.resolve();
  // A model that is configured anew keeps what the console set since the start, not only what was stored then.
  const known = new Map(settings);

  const applyNow = async (configs: readonly ModelConfig[]): Promise<void> => {
    const before = models;
    const kept = new Map<ModelConfig, ModelRuntime>();
    for (const config of configs) {
      const running = before.find((model) => model.name === config.name);
      if (running?.reconfigure(config) === true) kept.set(config, running);
    }
    const gone = before.filter((model) => ![...kept.values()].includes(model));
    // First let go: the new runtime of a changed model reads what the old one remembered.
    for (const model of gone) known.set(model.name, model.setting);
    await Promise.all(gone.map((model) => model.close()));
    const next = configs.map((config) => kept.get(config) ?? create(config, known.get(config.name) ?? NO_SETTING));
    await Promise.all(next.filter((model) => !before.includes(model)).map((model) => model.start()));
    models = next;
  };

  return {
    models: () => models,
    named: (name) => models.find((model) => model.name === name) ?? null,
    find: (requested) => findModel(models, requested),
    apply(configs) {
      // One that failed has been told of; it must not keep the next from being tried.
      applying = applying.catch(() => {}).then(() => applyNow(configs));
      return applying;
    },
    forget(name) {
      known.delete(name);
    },
    async close() {
      await applying.catch(() => {});
      await Promise.all(models.map((model) => model.close()));
      models = [];
    },
  };
}
