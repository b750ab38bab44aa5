import { type Caller, mayUseModel } from '#lib/access/caller.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import { Refusal } from './understand.ts';

/** The models as a caller may know them: a key can be limited to some, and the others are refused and not listed. */
export function registryFor(registry: ModelRegistry, caller: Caller): ModelRegistry {
  if (caller.kind !== 'key' || caller.key.models === null) return registry;
  return {
    ...registry,
    models: () => registry.models().filter(({ name }) => mayUseModel(caller, name)),
    find(requested) {
      const model = registry.find(requested);
      if (model === null || mayUseModel(caller, model.name)) return model;
      throw new Refusal({
        status: 403,
        code: 'model_not_allowed',
        message: `The key "${caller.key.name}" may not use the model "${requested}".`,
        param: 'model',
      });
    },
  };
}
