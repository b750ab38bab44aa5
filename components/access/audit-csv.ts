import type { Cell } from '#components/charts/csv.ts';
import type { AuditEntryState } from '#lib/contract/access.ts';

/** Of machines and spreadsheets: the same in every language. */
export const AUDIT_HEADER = ['time', 'actor', 'role', 'address', 'action', 'subject', 'before', 'after'] as const;

export function auditRow(entry: AuditEntryState): readonly Cell[] {
  const { time, actor, role, address, action, subject, before, after } = entry;
  return [time, actor, role, address, action, subject, json(before), json(after)].map(inert);
}

/** A spreadsheet must not take a name that somebody gave for a formula. */
function inert(cell: Cell): Cell {
  return typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

const json = (facts: AuditEntryState['before']): string | null => (facts === null ? null : JSON.stringify(facts));
