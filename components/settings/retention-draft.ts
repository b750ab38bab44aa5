import { RETENTION_BOUNDS, type RetentionName, type SettingsState } from '#lib/contract/settings.ts';

export type Kept = SettingsState['retention'][number];
/** What a person typed, by name; a name that is not in it was left alone. */
export type RetentionDraft = { readonly [Name in RetentionName]?: string };

/** The number that is typed, or null where it is none that can be taken. */
export function readAmount(name: RetentionName, text: string): number | null {
  const { min, max } = RETENTION_BOUNDS[name];
  if (!/^\d{1,9}$/.test(text.trim())) return null;
  const amount = Number(text);
  return amount >= min && amount <= max ? amount : null;
}

/**
 * The changes that a draft makes; null where something in it cannot be taken. What is typed as it is by default is given
 * back to the default. `deletes`: something will be kept for a shorter time than now.
 */
export function changesOf(draft: RetentionDraft, kept: readonly Kept[]) {
  const changes: { [Name in RetentionName]?: number | null } = {};
  let deletes = false;
  for (const { name, value, default: byDefault } of kept) {
    const text = draft[name];
    if (text === undefined) continue;
    const amount = readAmount(name, text);
    if (amount === null) return null;
    if (amount === value) continue;
    changes[name] = amount === byDefault ? null : amount;
    deletes ||= amount < value;
  }
  return { changes, deletes, any: Object.keys(changes).length > 0 };
}
