import { actorOf } from '#lib/access/caller.ts';
import type { AuditAction } from '#lib/contract/access.ts';
import type { Access } from '#server/access/access.ts';
import type { ApiCall } from './handlers.ts';

export type Facts = Readonly<Record<string, unknown>>;

/** What the audit list says of a call that changes something. */
export type AuditRule = {
  readonly action: AuditAction;
  readonly subject?: (call: ApiCall) => string;
  /** Read before and after the call; what differs is written down. Null: it is not there. Never a secret. */
  readonly state?: (call: ApiCall) => Promise<Facts | null>;
};

/** What a handler knows better than the rule: whom it was about, and what came of it. */
export type AuditNote = {
  readonly subject?: string;
  readonly before?: Facts | null;
  readonly after?: Facts | null;
  /** Who did it, where that became known by the call itself. */
  readonly actor?: string;
  readonly role?: string;
};

/**
 * Runs a call and writes what it changed into the audit list, when it succeeded: the one place where that happens. A
 * call that left everything as it was is not written down.
 */
export async function withAudit<T>(access: Access, rule: AuditRule, call: ApiCall, run: () => Promise<T>): Promise<T> {
  const before = await stateOf(rule, call);
  const answer = await run();
  const after = await stateOf(rule, call);
  const note = call.noted();
  const [was, is] = rule.state === undefined ? [null, null] : difference(before, after);
  const isSame = rule.state !== undefined && was === null && is === null && note === null;
  if (isSame) return answer;
  const who = actorOf(call.caller);
  await access.audit({
    actor: note?.actor ?? who.actor,
    role: note?.role ?? who.role,
    address: access.connectionOf(call.req).address,
    action: rule.action,
    subject: note?.subject ?? rule.subject?.(call) ?? null,
    before: jsonOf(note?.before ?? was),
    after: jsonOf(note?.after ?? is),
  });
  return answer;
}

async function stateOf({ state }: AuditRule, call: ApiCall): Promise<Facts | null> {
  return state === undefined ? null : await state(call);
}

/** The fields that differ, on both sides. */
function difference(before: Facts | null, after: Facts | null): readonly [Facts | null, Facts | null] {
  if (before === null || after === null) return before === after ? [null, null] : [before, after];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) return [null, null];
  const only = (facts: Facts): Facts => Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  return [only(before), only(after)];
}

const jsonOf = (facts: Facts | null): string | null => (facts === null ? null : JSON.stringify(facts));
