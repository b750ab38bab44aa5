import { type Cell, inert } from '#components/charts/csv.ts';
import type { AuditEntryState, AuditList } from '#lib/contract/access.ts';

/** Of machines and spreadsheets: the same in every language. */
export const AUDIT_HEADER = ['time', 'actor', 'role', 'address', 'action', 'subject', 'before', 'after'] as const;

/**
 * All entries, however many calls that takes. `read` gives those before an id, the newest for null. What is written
 * while they are read does not come in: each page begins where the one before has ended.
 */
export async function allEntries(read: (before: number | null) => Promise<AuditList>): Promise<AuditEntryState[]> {
  const all: AuditEntryState[] = [];
  let before: number | null = null;
  do {
    const page: AuditList = await read(before);
    all.push(...page.entries);
    before = page.next;
  } while (before !== null);
  return all;
}

export function auditRow(entry: AuditEntryState): readonly Cell[] {
  const { time, actor, role, address, action, subject, before, after } = entry;
  return [time, actor, role, address, action, subject, json(before), json(after)].map(inert);
}

const json = (facts: AuditEntryState['before']): string | null => (facts === null ? null : JSON.stringify(facts));
