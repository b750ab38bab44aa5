import type { SharedRecord } from '#lib/access/shared-record.ts';
import type { AccessHost } from '#server/fleet/shared-access.ts';
import type { ApiKeys } from './api-keys.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import type { People } from './people.ts';
import type { InTurn } from './turns.ts';

type Books = {
  readonly people: People;
  readonly keys: ApiKeys;
  readonly sessions: ConsoleSessions;
  readonly inTurn: InTurn;
};

/** The books of one warden, as the shared memory keeps them in step with those of the others. */
export function sharedBooks({ people, keys, sessions, inTurn }: Books): AccessHost {
  const take = async (record: SharedRecord): Promise<'kept' | 'over'> => {
    switch (record.kind) {
      case 'key':
        await keys.take(record);
        return 'kept';
      case 'person':
      case 'removed_person':
        await people.take(record);
        return 'kept';
      case 'session':
      case 'ended_session':
        return (await sessions.take(record)) ? 'kept' : 'over';
    }
  };
  return {
    records: () => [...people.records(), ...keys.records(), ...sessions.records()],
    take: (record) => inTurn(() => take(record)),
  };
}
