import type { Person } from '#lib/access/types.ts';
import { newPerson, type PersonState, personPatch } from '#lib/contract/access.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { Facts } from './audit-rule.ts';
import type { ApiContext } from './context.ts';
import type { ApiCall } from './handlers.ts';
import { isFixed, refuseBadPassword, refuseFixedPassword } from './login-handlers.ts';
import { readJson } from './read-json.ts';

export async function listPeople({ context }: ApiCall): Promise<{ people: PersonState[] }> {
  const people = context.access.people.all().toSorted((a, b) => a.name.localeCompare(b.name));
  return { people: people.map((person) => personState(context, person)) };
}

/** Adds somebody. The first one is an admin: from then on the console asks for a password. */
export async function postPerson(call: ApiCall): Promise<PersonState> {
  const { people } = call.context.access;
  const { name, role, password } = await readJson(call.req, newPerson);
  if (people.byName(name) !== null) throw new ProblemError(409, 'Name taken', `There is a ${name} already.`, 'name');
  if (role !== 'admin' && admins(call.context).length === 0) {
    throw new ProblemError(409, 'No admin yet', 'The first person must be an admin: somebody has to be.', 'role');
  }
  refuseBadPassword(password);
  const person = await people.add(name, role, password);
  call.note({ subject: person.name, after: { role } });
  return personState(call.context, person);
}

/** Another role, or a new password for somebody who lost theirs; their sessions end. */
export async function patchPerson(call: ApiCall): Promise<PersonState> {
  const { context, caller } = call;
  const { people, sessions } = context.access;
  const patch = await readJson(call.req, personPatch);
  let person = personOf(call);
  if (patch.password !== undefined) {
    refuseFixedPassword(context, person);
    refuseBadPassword(patch.password);
  }
  if (patch.role === 'viewer') refuseLastAdmin(context, person);
  if (patch.role !== undefined && patch.role !== person.role) person = await people.setRole(person, patch.role);
  if (patch.password !== undefined) {
    person = await people.setPassword(person, patch.password);
    await sessions.endAll(person, caller.kind === 'person' ? caller.tokenHash : undefined);
    call.note({ subject: person.name, after: { password: 'changed' } });
  }
  return personState(context, person);
}

/**
 * Removes somebody, and signs them out. The last admin may go where the console may be without a password; never in a
 * fleet, where others than this machine may reach another warden.
 */
export async function deletePerson(call: ApiCall): Promise<PersonState> {
  const { context } = call;
  const { people, sessions } = context.access;
  const person = personOf(call);
  if (people.all().length > 1 || !context.access.isLocal || context.access.isShared) refuseLastAdmin(context, person);
  await sessions.endAll(person);
  await people.remove(person.id);
  call.note({ subject: person.name, before: { role: person.role } });
  return personState(context, person);
}

/** For the audit list. */
export async function personFacts(call: ApiCall): Promise<Facts | null> {
  const person = call.context.access.people.byId(Number(call.params.id));
  return person === null ? null : { role: person.role };
}

export function personSubject(call: ApiCall): string {
  return call.context.access.people.byId(Number(call.params.id))?.name ?? '';
}

const admins = ({ access }: ApiContext): readonly Person[] =>
  access.people.all().filter((person) => person.role === 'admin');

function personOf({ context, params }: ApiCall): Person {
  const person = context.access.people.byId(Number(params.id));
  if (person !== null) return person;
  throw new ProblemError(404, 'No such person', `There is no person ${params.id}.`);
}

function refuseLastAdmin(context: ApiContext, person: Person): void {
  if (person.role !== 'admin' || admins(context).length > 1) return;
  throw new ProblemError(409, 'The last admin', `${person.name} is the only admin; make another one first.`, 'role');
}

function personState(context: ApiContext, person: Person): PersonState {
  return {
    id: person.id,
    name: person.name,
    role: person.role,
    created_at: new Date(person.createdAt).toISOString(),
    password_changed_at: new Date(person.passwordChangedAt).toISOString(),
    password_is_fixed: isFixed(context, person),
  };
}
