import type { NewAuditEntry } from './types.ts';

type Facts = Readonly<Record<string, unknown>>;

/** A change that no call of the console made: by a file, the environment, another warden, a benchmark. */
export type OwnChange = {
  /** Whose doing it was: `configuration file`, `environment`, `benchmark`, `warden …`. */
  readonly actor: string;
  readonly action: string;
  readonly subject: string | null;
  readonly before: Facts | null;
  readonly after: Facts | null;
};

/** The role of such an actor in the audit list: no person has it, whatever they are called. */
const SYSTEM = 'system';

/** What the audit list says of it; `at` in ms since the epoch. */
export function ownChangeEntry({ before, after, ...change }: OwnChange, at: number): NewAuditEntry {
  const json = (facts: Facts | null): string | null => (facts === null ? null : JSON.stringify(facts));
  return { at, ...change, role: SYSTEM, address: null, before: json(before), after: json(after) };
}

/** The facts that differ, on both sides; null where none does. What is absent is null. */
export function differingFacts(before: Facts, after: Facts): { readonly before: Facts; readonly after: Facts } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (names.length === 0) return null;
  const only = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return { before: only(before), after: only(after) };
}
