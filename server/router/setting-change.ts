import { differingFacts, ownChangeEntry } from '#lib/access/own-change.ts';
import type { NewAuditEntry } from '#lib/access/types.ts';
import type { ModelSetting } from '#server/store/store.ts';

export type SettingChange = {
  readonly model: string;
  readonly before: ModelSetting;
  readonly after: ModelSetting;
  /** Who changed it where no person did by a call of this console, as the audit list has it. */
  readonly actor: string;
};

/** What the audit list says of a setting that no person changed here; null where nothing is another. */
export function settingChangeEntry({ model, before, after, actor }: SettingChange, at: number): NewAuditEntry | null {
  const change = differingFacts(factsOf(before), factsOf(after));
  return change === null ? null : ownChangeEntry({ actor, action: 'routing.change', subject: model, ...change }, at);
}

/** Null: as the configuration has it. */
function factsOf({ affinity, cacheFit, spillThreshold, yieldAfterMs }: ModelSetting) {
  return {
    affinity,
    cache_fit: cacheFit,
    spill_threshold: spillThreshold,
    yield_after: typeof yieldAfterMs === 'number' ? yieldAfterMs / 1000 : yieldAfterMs,
  };
}
