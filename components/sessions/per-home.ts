import type { SessionEntry } from '#lib/contract/activity.ts';

export type Home = {
  readonly model: string;
  readonly replica: number;
  readonly sessions: number;
  /** Sum of the contexts that are known; null where none is. */
  readonly contextTokens: number | null;
};

/** How many conversations live on each replica and how long they are together, by model and replica. */
export function perHome(sessions: readonly SessionEntry[]): Home[] {
  const homes = new Map<string, Home>();
  for (const { model, home: replica, context_tokens } of sessions) {
    if (replica === null) continue;
    const key = `${model} ${replica}`;
    const known = homes.get(key) ?? { model, replica, sessions: 0, contextTokens: null };
    const contextTokens = context_tokens === null ? known.contextTokens : (known.contextTokens ?? 0) + context_tokens;
    homes.set(key, { ...known, sessions: known.sessions + 1, contextTokens });
  }
  return [...homes.values()].sort((a, b) => a.model.localeCompare(b.model) || a.replica - b.replica);
}
