import type { Logger } from 'pino';
import { composeModels } from '#lib/config/compose-models.ts';
import type { ModelConfig } from '#lib/config/schema.ts';
import type { ModelPatch, NewModel, ProbeRequest, ProbeResult } from '#lib/contract/managed-models.ts';
import type { ModelOrigin } from '#lib/contract/models.ts';
import { NO_SETTING } from '#server/router/policy.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import type { Store } from '#server/store/store.ts';
import { changedEntry, configOf, entryOf, type ManagedEntry, newEntry, rowOf } from './managed-entry.ts';
import { probeUrls } from './probe-urls.ts';
import { keptUrls, notOurs, refuseTaken, refuseToSendKeyElsewhere } from './refusals.ts';

type Options = {
  readonly store: Store;
  readonly registry: ModelRegistry;
  /** The models of `warden.yaml`, `WARDEN_UPSTREAM` or the embedded fleet. */
  readonly configured: () => readonly ModelConfig[];
  readonly configuredOrigin: Exclude<ModelOrigin, 'console'>;
  /** Hosts that may be used although they are link-local or metadata addresses. */
  readonly allowedHosts: () => readonly string[];
  readonly now: () => number;
  readonly log: Logger;
};

/** Models that are added, changed and removed while the process runs, beside those that are configured. */
export type ManagedModels = {
  /** Makes the registry's models those that are configured and added now. */
  apply(): Promise<void>;
  originOf(name: string): ModelOrigin;
  entry(name: string): ManagedEntry | null;
  isRemoved(name: string): boolean;
  /** Asks addresses what they are, without keeping anything. */
  probe(request: ProbeRequest): Promise<ProbeResult>;
  /** These throw a ProblemError that names the field at fault. What they did is saved and in force when they resolve. */
  add(model: NewModel): Promise<void>;
  change(name: string, patch: ModelPatch): Promise<void>;
  /** Requests in flight go on to their end; homes and settings are forgotten. */
  remove(name: string): Promise<{ readonly inFlight: number }>;
  /** Brings back configured models that were removed. */
  restoreRemoved(): Promise<void>;
  warnings(): readonly { readonly code: string; readonly message: string }[];
};

/** Reads what was added before. `apply` puts it in force. */
export async function openManagedModels(options: Options): Promise<ManagedModels> {
  const { store, log } = options;
  const [rows, removed] = await Promise.all([store.managedModels(), store.removedModels()]);
  const entries = new Map<string, ManagedEntry>();
  const unreadable: string[] = [];
  for (const row of rows) {
    const entry = entryOf(row);
    if (entry === null) unreadable.push(row.name);
    else entries.set(row.name, entry);
  }
  for (const name of unreadable) log.error({ model: name }, 'a model added in the console cannot be read');
  return createManagedModels(options, { entries, removed: new Set(removed), unreadable });
}

type State = {
  readonly entries: Map<string, ManagedEntry>;
  readonly removed: Set<string>;
  readonly unreadable: readonly string[];
};

function createManagedModels(options: Options, state: State): ManagedModels {
  const { store, registry, now } = options;
  const { entries, removed } = state;
  const isSimulated = options.configuredOrigin === 'simulated';
  const compose = () =>
    composeModels({
      configured: options.configured(),
      isSimulated,
      managed: [...entries.values()].map(configOf),
      removed,
    });
  const apply = () => registry.apply(compose().models);
  const record = (name: string, kind: string, detail: string): void => {
    store.recordEvent({ at: now(), model: name, kind, detail });
    options.log.info({ model: name, kind }, detail);
  };
  const others = (name: string | null) => registry.models().filter((model) => model.name !== name);
  /** Names that another model answers to; the simulated fleet gives its own away. */
  const takenNames = (name: string | null): Map<string, string> =>
    new Map(
      others(name)
        .filter((model) => originOf(model.name) !== 'simulated')
        .flatMap((model) => [model.name, ...model.aliases].map((taken) => [taken, model.name] as const)),
    );
  const originOf = (name: string): ModelOrigin => {
    if (!entries.has(name)) return options.configuredOrigin;
    const isConfigured = options.configured().some((model) => model.name === name);
    return isConfigured && !isSimulated ? options.configuredOrigin : 'console';
  };
  const known = (name: string): ManagedEntry => {
    const entry = entries.get(name);
    if (entry !== undefined && originOf(name) === 'console') return entry;
    throw notOurs(registry, name, options.configuredOrigin);
  };

  let working: Promise<unknown> = Promise.resolve();
  /** One change at a time: each is judged by what the one before has left. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = working.then(act);
    working = done.catch(() => {});
    return done;
  };

  return {
    apply,
    originOf,
    entry: (name) => (originOf(name) === 'console' ? (entries.get(name) ?? null) : null),
    isRemoved: (name) => removed.has(name),
    probe: (request) =>
      probeUrls(request, {
        allowedHosts: options.allowedHosts(),
        kept: request.model === undefined ? null : (entries.get(request.model) ?? null),
        takenNames: new Set(takenNames(request.model ?? null).keys()),
        takenUrls: new Map(
          others(request.model ?? null).flatMap((model) =>
            model.processes.map((process) => [process.url, model.name] as const),
          ),
        ),
        now,
      }),
    add: (model) =>
      inTurn(async () => {
        refuseTaken(takenNames(null), model.name, model.aliases);
        const entry = newEntry(model, await keptUrls(model.urls, options.allowedHosts()), now());
        await forgetModel(options, model.name);
        await store.saveManagedModel(rowOf(entry));
        entries.set(model.name, entry);
        await apply();
        record(model.name, 'model_added', `model added in the console: ${entry.kept.urls.join(', ')}`);
      }),
    change: (name, patch) =>
      inTurn(async () => {
        const before = known(name);
        refuseTaken(takenNames(name), null, patch.aliases ?? []);
        const urls = patch.urls === undefined ? before.kept.urls : await keptUrls(patch.urls, options.allowedHosts());
        refuseToSendKeyElsewhere(before, urls, patch.api_key);
        const entry = changedEntry(before, patch, urls, now());
        await store.saveManagedModel(rowOf(entry));
        entries.set(name, entry);
        await apply();
        await changeSettings(registry, name, patch);
        record(name, 'model_changed', `model changed in the console: ${Object.keys(patch).join(', ')}`);
      }),
    remove: (name) =>
      inTurn(async () => {
        const model = registry.named(name);
        if (isSimulated && model !== null && !entries.has(name)) {
          await store.setModelRemoved(name, now());
          removed.add(name);
        } else {
          known(name);
          await store.deleteManagedModel(name);
          entries.delete(name);
        }
        const inFlight = model?.router.inFlightTotal() ?? 0;
        await apply();
        await forgetModel(options, name);
        record(name, 'model_removed', 'model removed in the console');
        return { inFlight };
      }),
    restoreRemoved: () =>
      inTurn(async () => {
        for (const name of removed) await store.setModelRemoved(name, null);
        removed.clear();
        await apply();
      }),
    warnings: () => [
      ...compose().shadowed.map((name) => ({
        code: 'model_shadowed',
        message: `The model ${name} that was added in the console is not served: the configuration has one of that name.`,
      })),
      ...state.unreadable.map((name) => ({
        code: 'model_unreadable',
        message: `The model ${name} that was added in the console cannot be read from the database; add it again.`,
      })),
    ],
  };
}

/** A model that is added under an old name begins anew, with nobody at home and the settings that it was added with. */
async function forgetModel({ store, registry, now }: Options, name: string): Promise<void> {
  registry.forget(name);
  store.rememberRouter(name, { homes: [], since: now(), tallies: [], unrouted: 0, engines: [] });
  await store.saveSetting(name, NO_SETTING);
}

async function changeSettings(registry: ModelRegistry, name: string, patch: ModelPatch): Promise<void> {
  const { affinity, spill_threshold: spillThreshold, cache_fit: cacheFit } = patch;
  if (affinity === undefined && spillThreshold === undefined && cacheFit === undefined) return;
  await registry.named(name)?.changeSetting({
    ...(affinity === undefined ? {} : { affinity }),
    ...(spillThreshold === undefined ? {} : { spillThreshold }),
    ...(cacheFit === undefined ? {} : { cacheFit }),
  });
}
