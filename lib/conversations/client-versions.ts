import type { PrefixTrouble } from '#lib/contract/connect.ts';

type Version = readonly [number, number, number];
type Known = { readonly trouble: PrefixTrouble; readonly from: Version; readonly to: Version | null };

/**
 * Read off recorded requests of the published versions of Claude Code: the billing line came with 2.1.80 and differed
 * from request to request in 2.1.113 to 2.1.179; system messages between the others came with 2.1.154.
 */
const CLAUDE_CODE: readonly Known[] = [
  { trouble: 'line_per_conversation', from: [2, 1, 80], to: [2, 1, 112] },
  { trouble: 'line_per_request', from: [2, 1, 113], to: [2, 1, 179] },
  { trouble: 'line_per_conversation', from: [2, 1, 180], to: null },
  { trouble: 'system_entries', from: [2, 1, 154], to: null },
];

/**
 * What is known of how a client spoils its own prefix, by its name as the router shows it ("Claude Code 2.1.160"). Empty
 * for clients and versions of which nothing is known.
 */
export function prefixTroubles(client: string): PrefixTrouble[] {
  const match = /^Claude Code (\d+)\.(\d+)\.(\d+)$/.exec(client);
  if (match === null) return [];
  const version: Version = [Number(match[1]), Number(match[2]), Number(match[3])];
  return CLAUDE_CODE.filter(({ from, to }) => isBefore(from, version) && (to === null || isBefore(version, to))).map(
    ({ trouble }) => trouble,
  );
}

/** Before it or the same. */
function isBefore(version: Version, other: Version): boolean {
  for (const part of [0, 1, 2] as const) if (version[part] !== other[part]) return version[part] < other[part];
  return true;
}
