import { isDeepStrictEqual } from 'node:util';
import type { ModelConfig } from '#lib/config/schema.ts';
import type { ModelSetting, Store } from '#server/store/store.ts';
import { type EffectivePolicy, effectivePolicy } from './policy.ts';
import { type PolicyEvent, policyEvents } from './policy-events.ts';

export type ModelSettingsOptions = {
  readonly config: ModelConfig;
  readonly setting: ModelSetting;
  readonly store: Store;
  readonly onPolicy: (policy: EffectivePolicy) => void;
  readonly onEvent: (event: PolicyEvent) => void;
};

/** What the console set for one model, and the policy that comes of it, the configuration and the engines. */
export class ModelSettings {
  readonly #options: ModelSettingsOptions;
  #config: ModelConfig;
  #setting: ModelSetting;
  #engineMaxNumSeqs: number | null = null;
  #policy: EffectivePolicy;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(options: ModelSettingsOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#setting = options.setting;
    this.#policy = effectivePolicy(options.config, options.setting, null);
  }

  get setting(): ModelSetting {
    return this.#setting;
  }

  get policy(): EffectivePolicy {
    return this.#policy;
  }

  /**
   * Puts an edit in force for the next request, once it is saved; resolves with what was before. Rejects when it could
   * not be saved.
   */
  change(change: Partial<ModelSetting>): Promise<ModelSetting> {
    return this.#inTurn(() => ({ ...this.#setting, ...change }));
  }

  /** As `change`, of the whole setting. */
  take(setting: ModelSetting): Promise<ModelSetting> {
    return this.#inTurn(() => setting);
  }

  reconfigure(config: ModelConfig): void {
    this.#config = config;
    this.#putInForce();
  }

  /** What the engines say of how many sequences they run at a time; null where none does. Not an edit, so no event. */
  hear(engineMaxNumSeqs: number | null): void {
    this.#engineMaxNumSeqs = engineMaxNumSeqs;
    this.#refresh();
  }

  /** One after the other: each is made from what the one before it left, and not from what was when it was asked for. */
  #inTurn(next: () => ModelSetting): Promise<ModelSetting> {
    const saving = this.#saving.then(() => this.#save(next()));
    // One that failed has told who asked for it; it must not keep the next from being tried.
    this.#saving = saving.catch(() => {});
    return saving;
  }

  async #save(setting: ModelSetting): Promise<ModelSetting> {
    const before = this.#setting;
    if (isDeepStrictEqual(setting, before)) return before;
    await this.#options.store.saveSetting(this.#config.name, setting);
    this.#setting = setting;
    this.#putInForce();
    return before;
  }

  #putInForce(): void {
    const before = this.#policy;
    this.#refresh();
    for (const event of policyEvents(before, this.#policy)) this.#options.onEvent(event);
  }

  #refresh(): void {
    this.#policy = effectivePolicy(this.#config, this.#setting, this.#engineMaxNumSeqs);
    this.#options.onPolicy(this.#policy);
  }
}
