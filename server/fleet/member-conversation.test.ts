import { describe, expect, it } from 'vitest';
import type { ToldConversation } from '#lib/cache-fit/types.ts';
import { memberConversation, readConversation, writeConversation } from './member-conversation.ts';

const told: ToldConversation = {
  key: 'a',
  kind: 'agent',
  replica: 1,
  tokens: 4000,
  shared: 300,
  lastTotal: 3900,
  turns: 5,
  turnsHere: 2,
  isInFlight: false,
  heldForMs: 700,
  computing: 12,
  changedAgoMs: 500,
};
const replicas = (ids: readonly string[]) => ({
  replicaIds: () => ids,
  replicaOf: (id: string) => (ids.includes(id) ? ids.indexOf(id) : null),
});
const written = memberConversation.parse(
  JSON.parse(JSON.stringify(writeConversation(told, replicas(['x', 'y']), 10_000))),
);

describe('a conversation that one warden tells another', () => {
  it('arrives as it was, older by the time on the way, on the replica’s number there', () => {
    expect(readConversation(written, replicas(['y', 'x']), 10_050)).toEqual([
      { ...told, replica: 0, heldForMs: 750, changedAgoMs: 550 },
    ]);
  });

  it('is nobody’s where its replica is not known there', () => {
    expect(readConversation(written, replicas(['x']), 10_050)).toEqual([]);
  });

  it('is not from the future where the clocks are off', () => {
    expect(readConversation(written, replicas(['x', 'y']), 9000)).toMatchObject([{ heldForMs: 0, changedAgoMs: 0 }]);
  });
});
