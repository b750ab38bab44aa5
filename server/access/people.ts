import type { Person, Role } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import type { Passwords } from './passwords.ts';

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
};

export type PeopleOptions = {
  readonly store: Pick<Store, 'addPerson' | 'savePerson' | 'removePerson'>;
  readonly saved: readonly Person[];
  readonly passwords: Passwords;
  readonly now: () => number;
  /** Somebody or something was added, changed or removed. */
  readonly onChange: () => void;
};

export function createPeople({ store, saved, passwords, now, onChange }: PeopleOptions): People {
  const people = new Map(saved.map((person) => [person.id, person]));
  const save = async (person: Person): Promise<Person> => {
    await store.savePerson(person);
    people.set(person.id, person);
    onChange();
    return person;
  };
  const byName = (name: string): Person | null =>
    [...people.values()].find((person) => person.name.toLowerCase() === name.toLowerCase()) ?? null;

  return {
    all: () => [...people.values()],
    byId: (id) => people.get(id) ?? null,
    byName,
    async add(name, role, password) {
      const passwordHash = await passwords.hash(password);
      const row = { name, role, passwordHash, createdAt: now(), passwordChangedAt: now() };
      const person = { ...row, id: await store.addPerson(row) };
      people.set(person.id, person);
      onChange();
      return person;
    },
    setRole: (person, role) => save({ ...person, role }),
    setPassword: async (person, password) =>
      save({ ...person, passwordHash: await passwords.hash(password), passwordChangedAt: now() }),
    async remove(id) {
      await store.removePerson(id);
      people.delete(id);
      onChange();
    },
  };
}
