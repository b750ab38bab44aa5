import type { Logger } from 'pino';
import type { NewAuditEntry } from '#lib/access/types.ts';
import type { EventFacts, Store } from '#server/store/store.ts';

export type ModelJournalOptions = {
  readonly model: string;
  readonly store: Store;
  readonly log: Logger;
  readonly now: () => number;
};

/** Writes down what happens to one model: events for its page and the log, changes for the audit list. */
export class ModelJournal {
  readonly #options: ModelJournalOptions;

  constructor(options: ModelJournalOptions) {
    this.#options = options;
  }

  /** `detail` is a sentence in English, `facts` its values. */
  event(kind: string, detail: string, facts: EventFacts | null = null): void {
    const { store, log, model, now } = this.#options;
    store.recordEvent({ at: now(), model, kind, detail, facts });
    log.info({ model, kind }, detail);
  }

  /** `entryAt`: what to write down of a change that happens now; null: nothing. */
  audit(entryAt: (now: number) => NewAuditEntry | null): void {
    const { store, log, now } = this.#options;
    const entry = entryAt(now());
    if (entry === null) return;
    store.addAudit(entry).catch((error: unknown) => {
      log.error({ err: error, entry }, 'a change could not be written into the audit list');
    });
  }
}
