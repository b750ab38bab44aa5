import { type Admission, createAdmission } from '#lib/cache-fit/admission.ts';
import type { AdmissionView } from '#lib/cache-fit/admission-view.ts';
import { type AdmissionSettings, DEFAULT_ADMISSION } from '#lib/cache-fit/types.ts';
import type { EffectivePolicy } from './policy.ts';

/**
 * `holding`: cache-fit is on. `watching`: it is off, and the working set is measured all the same. `inactive`: affinity
 * is off, so that no conversation has a replica of its own.
 */
export type AdmissionMode = 'holding' | 'watching' | 'inactive';

export type AdmissionGateOptions = { readonly now: () => number; readonly maxHoldMs: () => number };

/** With these nothing is ever held, and no conversation has to give up its place. */
const WATCHING = { maxHeld: 0, turnsPerStay: Number.MAX_SAFE_INTEGER };

/** Cache-fit admission of one model, as it stands in front of the router. */
export class AdmissionGate {
  readonly #options: AdmissionGateOptions;
  readonly #admission: Admission;
  #mode: AdmissionMode = 'inactive';
  #left = 0;

  constructor(options: AdmissionGateOptions) {
    this.#options = options;
    this.#admission = createAdmission({ capacityTokens: [], settings: DEFAULT_ADMISSION });
  }

  get mode(): AdmissionMode {
    return this.#mode;
  }

  /** Takes up a changed setting with the next turn. */
  configure({ affinity, cacheFit, yieldAfterMs }: EffectivePolicy): void {
    this.#mode = !affinity ? 'inactive' : cacheFit ? 'holding' : 'watching';
    const settings: AdmissionSettings = { ...DEFAULT_ADMISSION, yieldAfterMs, maxHoldMs: this.#options.maxHoldMs() };
    this.#admission.configure(this.#mode === 'holding' ? settings : { ...settings, ...WATCHING });
  }

  /** For each replica the tokens that its cache holds; null where the engine does not report it. */
  setCapacities(tokens: readonly (number | null)[]): void {
    this.#admission.resize(tokens.length);
    for (const [replica, capacity] of tokens.entries()) this.#admission.setCapacity(replica, capacity);
  }

  /** Clients that left while their turn was held, since the start. */
  get leftTotal(): number {
    return this.#left;
  }

  get maxHoldMs(): number {
    return this.#options.maxHoldMs();
  }

  view(): AdmissionView {
    return this.#admission.view(this.#options.now());
  }
}
