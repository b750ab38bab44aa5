import { z } from 'zod';
import type { AuditEntry } from '#lib/access/types.ts';
import type { AuditEntryState, AuditList } from '#lib/contract/access.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ApiCall } from './handlers.ts';
import { limitOf } from './parameters.ts';

const facts = z.record(z.string(), z.unknown());

/** The changes, newest first, a page at a time. */
export async function listAudit(call: ApiCall): Promise<AuditList> {
  const { query, context } = call;
  const limit = limitOf(call, 100, 1000);
  const text = (name: string): string | null => query.get(name) || null;
  const filter = {
    actor: text('actor'),
    action: text('action'),
    text: text('text'),
    sinceMs: timeOf(text('since')),
  };
  const found: AuditEntry[] = [];
  let beforeSeq = numberOf(text('before'));
  // The store looks at some thousands with each call; the calls of others come in between.
  do {
    const { entries, next } = await context.store.auditEntries({ ...filter, beforeSeq, limit: limit - found.length });
    found.push(...entries);
    beforeSeq = next;
  } while (beforeSeq !== null && found.length < limit);
  return { entries: found.map(entryState), next: beforeSeq };
}

function timeOf(text: string | null): number | null {
  if (text === null) return null;
  const at = Date.parse(text);
  if (Number.isFinite(at)) return at;
  throw new ProblemError(400, 'Invalid request', 'since must be a time such as 2026-11-30T12:00:00Z.', 'since');
}

function numberOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ProblemError(400, 'Invalid request', 'before must be the number of an entry.', 'before');
}

function entryState(entry: AuditEntry): AuditEntryState {
  return {
    id: entry.seq,
    time: new Date(entry.at).toISOString(),
    actor: entry.actor,
    role: entry.role,
    address: entry.address,
    action: entry.action,
    subject: entry.subject,
    before: parsed(entry.before),
    after: parsed(entry.after),
  };
}

function parsed(json: string | null): AuditEntryState['before'] {
  return json === null ? null : facts.parse(JSON.parse(json));
}
