import type { ConfigPlace } from '#lib/config/config-lines.ts';
import type { SettingEntry } from '#lib/contract/settings.ts';

/** Named after keys and holding none. */
const OPEN = new Set(['WARDEN_REQUIRE_KEYS']);
/** Of texts with such names only that they are set is shown. A word more here is cheaper than one key on a screen. */
const SECRET = /key|password|secret|token|credential|webhook|shared/i;

/** A tree of settings as one entry a leaf, keys joined by dots. `placeOf` finds a key in the configuration file. */
export function settingEntries(
  tree: Readonly<Record<string, unknown>>,
  placeOf: (key: string) => ConfigPlace | undefined,
  prefix = '',
): SettingEntry[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = prefix + name;
    if (isTree(value)) return settingEntries(value, placeOf, `${key}.`);
    const place = placeOf(key);
    const source = place === undefined ? 'default' : 'file';
    return [settingEntry(key, value, { source, line: place?.line ?? null, variables: [...(place?.variables ?? [])] })];
  });
}

/** One setting; hides the value of what looks like a secret. */
export function settingEntry(
  key: string,
  value: unknown,
  from: Pick<SettingEntry, 'source'> & Partial<Pick<SettingEntry, 'line' | 'variables'>>,
): SettingEntry {
  const secret = SECRET.test(key) && !OPEN.has(key) && (typeof value === 'string' || Array.isArray(value));
  return { key, value: secret ? null : shown(value), secret, line: null, variables: [], ...from };
}

function shown(value: unknown): SettingEntry['value'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return null;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
