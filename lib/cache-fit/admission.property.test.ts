import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAdmission } from './admission.ts';
import { DEFAULT_ADMISSION, type Ticket } from './types.ts';

const MAX_HOLD_MS = 30_000;

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('ask' as const),
      key: fc.nat(9),
      tokens: fc.integer({ min: 100, max: 9000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('finish' as const), which: fc.nat(99), cached: fc.nat(9000) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('answer' as const), which: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('leave' as const), which: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('forget' as const), replica: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.integer({ min: -5000, max: 20_000 }) }),
  },
);

/** What other routers tell, right or wrong. */
const heard = fc.record({
  act: fc.constant('hear' as const),
  waitsMs: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 4 }),
  tokens: fc.integer({ min: 0, max: 9000 }),
  told: fc.array(
    fc.record({
      key: fc.nat(12).map(String),
      kind: fc.constant('k'),
      replica: fc.constantFrom(null, 0, 1),
      tokens: fc.integer({ min: 100, max: 9000 }),
      shared: fc.nat(100),
      lastTotal: fc.constantFrom(null, 4000),
      turns: fc.nat(9),
      turnsHere: fc.nat(9),
      isInFlight: fc.boolean(),
      heldForMs: fc.constantFrom(null, 0, 5000, 90_000),
      computing: fc.nat(9000),
      changedAgoMs: fc.nat(60_000),
    }),
    { maxLength: 4 },
  ),
});
type Step =
  | (typeof step extends fc.Arbitrary<infer One> ? One : never)
  | (typeof heard extends fc.Arbitrary<infer One> ? One : never);

/** Drives an admission as a server does and checks what has to hold after each step. */
function drive(capacityTokens: readonly (number | null)[]) {
  const admission = createAdmission({ capacityTokens, settings: { ...DEFAULT_ADMISSION, maxHoldMs: MAX_HOLD_MS } });
  const open = () => true;
  const sent: Ticket[] = [];
  const held = new Set<Ticket>();
  /** Turns that were told where to go, instead of being left to the router's rules. */
  const directed: Ticket[] = [];
  let now = 0;

  const advance = () => {
    let latest = Number.NEGATIVE_INFINITY;
    for (const ticket of admission.advance(open, now)) {
      expect(held.delete(ticket)).toBe(true);
      expect(ticket.askedAt).toBeGreaterThanOrEqual(latest);
      latest = ticket.askedAt;
      admission.sent(ticket, ticket.replica ?? 0, now);
      sent.push(ticket);
    }
    expect(admission.view(now).held).toBe(held.size);
    expect(admission.nextWakeAt(now) === null).toBe(held.size === 0);
    for (const { workingSetTokens, aliveConversations } of admission.view(now).replicas) {
      expect(workingSetTokens).toBeGreaterThanOrEqual(0);
      expect(aliveConversations).toBeGreaterThanOrEqual(0);
    }
  };
  const take = (which: number) => sent.splice(which % Math.max(1, sent.length), 1)[0];

  const play = (one: Step) => {
    if (one.act === 'ask') {
      const ticket = admission.request({ key: `${one.key}`, kind: 'k', bodyBytes: 4 * one.tokens }, open, now);
      if (ticket.replica !== null) directed.push(ticket);
      if (ticket.state === 'held') held.add(ticket);
      else {
        admission.sent(ticket, ticket.replica ?? one.key % capacityTokens.length, now);
        sent.push(ticket);
      }
    } else if (one.act === 'finish') {
      const ticket = take(one.which);
      const promptTokens = (ticket?.turn.bodyBytes ?? 0) / 4;
      const usage = { promptTokens, cachedTokens: Math.min(one.cached, promptTokens), completionTokens: 50 };
      if (ticket !== undefined) admission.finished(ticket, usage, now);
    } else if (one.act === 'answer') {
      const ticket = sent[one.which % Math.max(1, sent.length)];
      if (ticket !== undefined) admission.answering(ticket, now);
    } else if (one.act === 'leave') {
      const ticket = [...held][one.which % Math.max(1, held.size)] ?? take(one.which);
      if (ticket !== undefined) admission.left(ticket, now);
      if (ticket !== undefined) held.delete(ticket);
    } else if (one.act === 'hear') {
      const load = { conversations: one.waitsMs.length, tokens: one.tokens, inFlight: one.waitsMs.length };
      admission.hear({ newsMs: 500, waitsMs: one.waitsMs, replicas: [load, load], conversations: one.told }, now);
    } else if (one.act === 'forget') admission.forgetReplica(one.replica, now);
    else now += one.ms;
    advance();
  };

  /** Nothing ends any more; only time passes, from one wake-up to the next. */
  const settle = () => {
    for (let wakes = 0; wakes < 2000 && held.size > 0; wakes += 1) {
      now = admission.nextWakeAt(now) ?? now;
      advance();
    }
  };
  return { play, settle, held, directed };
}

it('sends every held turn in the end, in order, however turns end, clients leave, caches and clocks jump, whatever others say', () => {
  const capacities = fc.constantFrom([5000, 5000], [9000, 20_000], [null, 5000], [1, 1]);
  fc.assert(
    fc.property(
      capacities,
      fc.array(fc.oneof({ weight: 9, arbitrary: step }, heard), { maxLength: 80 }),
      (capacityTokens, steps) => {
        const { play, settle, held } = drive(capacityTokens);
        for (const one of steps) play(one);
        settle();
        expect(held.size).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

it('holds nothing and leaves every turn to the router while all conversations fit', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { play, held, directed } = drive([200_000, 200_000]);
      for (const one of steps) {
        play(one);
        expect(held.size).toBe(0);
      }
      expect(directed).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
