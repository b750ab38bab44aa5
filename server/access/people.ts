import { mergeRecords } from '#lib/access/merge-records.ts';
import {
  isSameRecord,
  type PersonRecord,
  personRecordOf,
  type RemovedPersonRecord,
  removedPersonRecordOf,
  type SharedRecord,
} from '#lib/access/shared-record.ts';
import { type Person, personKey, type RemovedPerson, type Role } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import type { Passwords } from './passwords.ts';
import type { InTurn } from './turns.ts';

/** The people who may sign in. */
export type People = {
  all(): readonly Person[];
  byId(id: number): Person | null;
  /** Names are the same whatever their capitals. */
  byName(name: string): Person | null;
  add(name: string, role: Role, password: string): Promise<Person>;
  setRole(person: Person, role: Role): Promise<Person>;
  setPassword(person: Person, password: string): Promise<Person>;
  remove(id: number): Promise<void>;
  /** True where somebody was removed. */
  isAnyRemoved(): boolean;
  /** Those who are here and those who were removed, as other wardens are told of them. */
  records(): readonly (PersonRecord | RemovedPersonRecord)[];
  /** Takes over what another warden knows. In turn with all other changes. */
  take(record: PersonRecord | RemovedPersonRecord): Promise<void>;
};

export type PeopleOptions = {
  readonly store: Pick<Store, 'addPerson' | 'savePerson' | 'removePerson'>;
  readonly saved: readonly Person[];
  readonly removed: readonly RemovedPerson[];
  readonly passwords: Passwords;
  readonly now: () => number;
  readonly inTurn: InTurn;
  /** Somebody or something was added, changed or removed. */
  readonly onChange: () => void;
  /** Tells the other wardens of what was changed here; ends when they can know, or cannot be told now. */
  readonly say: (record: SharedRecord) => Promise<void>;
};

export function createPeople(options: PeopleOptions): People {
  const { store, passwords, now, inTurn, onChange, say } = options;
  const people = new Map(options.saved.map((person) => [person.id, person]));
  const removed = new Map(options.removed.map((one) => [one.nameKey, one]));

  const byName = (name: string): Person | null =>
    [...people.values()].find((person) => personKey(person.name) === personKey(name)) ?? null;
  const insert = async (row: Omit<Person, 'id'>): Promise<Person> => {
    const person = { ...row, id: await store.addPerson(row) };
    people.set(person.id, person);
    onChange();
    return person;
  };
  /** From what holds at its turn: another warden's change may have come while a password was hashed. */
  const alter = async (id: number, change: (person: Person) => Person): Promise<Person> => {
    const changed = await inTurn(async () => {
      const person = people.get(id);
      if (person === undefined) throw new Error('this person was removed meanwhile');
      const next = change(person);
      await store.savePerson(next);
      people.set(id, next);
      return next;
    });
    onChange();
    await say(personRecordOf(changed));
    return changed;
  };
  /** First here: nobody may stay because the disk is full. */
  const strike = async (person: Person | null, gone: RemovedPerson): Promise<void> => {
    removed.set(gone.nameKey, gone);
    if (person !== null) people.delete(person.id);
    onChange();
    await store.removePerson(person?.id ?? null, gone);
  };
  const ours = (nameKey: string): PersonRecord | RemovedPersonRecord | null => {
    const person = byName(nameKey);
    const gone = removed.get(nameKey);
    if (person !== null) return personRecordOf(person);
    return gone === undefined ? null : removedPersonRecordOf(gone);
  };
  const takeLive = async ({ kind: _, ...row }: PersonRecord): Promise<void> => {
    const before = byName(row.name);
    if (before !== null && before.generation === row.generation) {
      const person = { ...row, id: before.id };
      people.set(person.id, person);
      onChange();
      return store.savePerson(person);
    }
    // Another bearer of the name: whatever the one before had, sessions too, is not theirs.
    const { generation } = before ?? row;
    if (before !== null) await strike(before, { nameKey: personKey(row.name), generation, removedAt: now() });
    await insert(row);
  };

  const take = async (record: PersonRecord | RemovedPersonRecord): Promise<void> => {
    const nameKey = record.kind === 'person' ? personKey(record.name) : record.nameKey;
    const known = ours(nameKey);
    const merged = known === null ? record : mergeRecords(known, record);
    if (known !== null && isSameRecord(known, merged)) return;
    if (merged.kind === 'person') return takeLive(merged);
    if (merged.kind !== 'removed_person') return;
    const { kind: _, ...gone } = merged;
    await strike(byName(nameKey), gone);
  };

  return {
    all: () => [...people.values()],
    byId: (id) => people.get(id) ?? null,
    byName,
    async add(name, role, password) {
      const passwordHash = await passwords.hash(password);
      const at = now();
      const fresh = { name, role, passwordHash, createdAt: at, passwordChangedAt: at, roleVersion: 1 };
      const person = await inTurn(async () => {
        // Another warden may have added the same one meanwhile: then both are one, as they would be a moment later.
        const before = byName(name)?.generation ?? (removed.get(personKey(name))?.generation ?? 0) + 1;
        await take(personRecordOf({ ...fresh, id: 0, passwordVersion: 1, generation: before }));
        return byName(name);
      });
      if (person === null) throw new Error('this person was removed meanwhile');
      await say(personRecordOf(person));
      return person;
    },
    setRole: ({ id }, role) => alter(id, (person) => ({ ...person, role, roleVersion: person.roleVersion + 1 })),
    async setPassword({ id }, password) {
      const passwordHash = await passwords.hash(password);
      return alter(id, (person) => ({
        ...person,
        passwordHash,
        passwordChangedAt: now(),
        passwordVersion: person.passwordVersion + 1,
      }));
    },
    async remove(id) {
      const gone = await inTurn(async () => {
        const person = people.get(id);
        if (person === undefined) return null;
        const made = { nameKey: personKey(person.name), generation: person.generation, removedAt: now() };
        await strike(person, made);
        return made;
      });
      if (gone !== null) await say(removedPersonRecordOf(gone));
    },
    isAnyRemoved: () => removed.size > 0,
    records: () => [
      ...[...people.values()].map(personRecordOf),
      ...[...removed.values()].filter(({ nameKey }) => byName(nameKey) === null).map(removedPersonRecordOf),
    ],
    take,
  };
}
