import { describe, expect, it } from 'vitest';
import { type Admission, createAdmission } from './admission.ts';
import { DEFAULT_ADMISSION, type Ticket, type TurnUsage } from './types.ts';

const open = () => true;
const BYTES_PER_TOKEN = 4;

function admissionOf(capacityTokens: readonly (number | null)[], settings: Partial<typeof DEFAULT_ADMISSION> = {}) {
  return createAdmission({ capacityTokens, settings: { ...DEFAULT_ADMISSION, ...settings } });
}

function ask(admission: Admission, key: string, tokens: number, now: number): Ticket {
  return admission.request({ key, kind: 'agent', bodyBytes: tokens * BYTES_PER_TOKEN }, open, now);
}

const usageOf = (promptTokens: number, cachedTokens: number | null = 0): TurnUsage => ({
  promptTokens,
  cachedTokens,
  completionTokens: 10,
});

/** Sends a ready turn to its replica, or to `fallback` where the router's own rules decide. */
function send(admission: Admission, ticket: Ticket, now: number, fallback = 0): number {
  const replica = ticket.replica ?? fallback;
  admission.sent(ticket, replica, now);
  return replica;
}

/** Asks, sends, answers and finishes a turn of a conversation that is not held. */
function turn(admission: Admission, key: string, tokens: number, now: number): Ticket {
  const ticket = ask(admission, key, tokens, now);
  expect(ticket.state).toBe('ready');
  send(admission, ticket, now);
  admission.answering(ticket, now + 900);
  admission.finished(ticket, usageOf(tokens, 0), now + 1000);
  return ticket;
}

describe('while everything fits', () => {
  it('leaves each turn to the rules of the router, at once', () => {
    const admission = admissionOf([10_000, 10_000]);
    for (let index = 0; index < 4; index += 1) {
      const ticket = ask(admission, `c${index}`, 2000, index);
      expect(ticket).toMatchObject({ state: 'ready', replica: null });
      send(admission, ticket, index, index % 2);
    }
    expect(admission.view(10)).toMatchObject({ held: 0, heldTotal: 0, longestWaitMs: null });
    expect(admission.nextWakeAt(10)).toBeNull();
  });

  it('counts a beginning that conversations share once', () => {
    const admission = admissionOf([10_000]);
    turn(admission, 'first', 4000, 0);
    const second = ask(admission, 'second', 4000, 1100);
    send(admission, second, 1100);
    admission.finished(second, usageOf(4000, 3000), 2000);
    // Of the first as well: nothing was there to be found when it came, and it is where the beginning is from.
    expect(admission.view(2000).replicas[0]).toMatchObject({ aliveTokens: 3000 + 1010 + 1010, aliveConversations: 2 });
  });

  it('does not take long prompts for short ones after a few short ones, whose bodies are hardly text', () => {
    const admission = admissionOf([10_000]);
    for (let index = 0; index < 5; index += 1) {
      const short = admission.request({ key: `s${index}`, kind: 'agent', bodyBytes: 400 }, open, index);
      send(admission, short, index);
      admission.finished(short, usageOf(20), index + 1);
    }
    for (const key of ['one', 'two']) send(admission, ask(admission, key, 4500, 10), 10);
    expect(ask(admission, 'three', 4500, 20).state).toBe('held');
  });

  it('knows by the time that there is room what a conversation that waits shares with others', () => {
    const admission = admissionOf([10_000]);
    const first = ask(admission, 'first', 4000, 0);
    send(admission, first, 0);
    const second = ask(admission, 'second', 4000, 10);
    send(admission, second, 10);
    admission.answering(first, 500);
    const waiting = ask(admission, 'waiting', 4000, 600);
    expect(waiting.state).toBe('held');
    admission.finished(second, usageOf(4000, 3000), 2000);
    expect(admission.advance(open, 2000)).toEqual([waiting]);
  });
});

describe('a conversation that lives on a replica and is new to admission', () => {
  const askFrom = (admission: Admission, home: number | null) =>
    admission.request({ key: 'old', kind: 'agent', bodyBytes: 4000 * BYTES_PER_TOKEN, home }, open, 100);

  it('goes home, as its cache is there, though new ones have to wait', () => {
    const admission = admissionOf([5000, 5000]);
    send(admission, ask(admission, 'one', 4000, 0), 0, 0);
    send(admission, ask(admission, 'two', 4000, 10), 10, 1);
    expect(ask(admission, 'new', 4000, 20).state).toBe('held');
    expect(askFrom(admission, 1)).toMatchObject({ state: 'ready', replica: 1, isCold: false });
  });

  it('waits like a new one where its home takes no more, or there is none', () => {
    for (const home of [null, 7]) {
      const admission = admissionOf([5000]);
      send(admission, ask(admission, 'one', 4000, 0), 0);
      expect(askFrom(admission, home).state).toBe('held');
    }
  });
});

describe('where not everything fits', () => {
  it('holds a new conversation until one that runs has ended and fallen silent', () => {
    const admission = admissionOf([5000]);
    const first = ask(admission, 'first', 4000, 0);
    send(admission, first, 0);
    const second = ask(admission, 'second', 4000, 10);
    expect(second.state).toBe('held');
    expect(admission.advance(open, 20)).toEqual([]);
    admission.finished(first, usageOf(4000), 1000);
    expect(admission.advance(open, 1000)).toEqual([]);

    const wakeAt = admission.nextWakeAt(1000) ?? 0;
    expect(wakeAt).toBeGreaterThan(1000);
    expect(admission.advance(open, wakeAt)).toEqual([second]);
    expect(second).toMatchObject({ state: 'sent', replica: 0 });
  });

  it('sends the next turn of a conversation that has its place straight to its replica', () => {
    const admission = admissionOf([5000, 5000]);
    turn(admission, 'warm', 3000, 0);
    const other = ask(admission, 'other', 4000, 1100);
    send(admission, other, 1100, 1);
    expect(ask(admission, 'waiting', 4000, 1200).state).toBe('held');
    expect(ask(admission, 'warm', 3100, 1300)).toMatchObject({ state: 'ready', replica: 0, isCold: false });
  });

  it('takes the replica with fewer conversations among those with room', () => {
    const admission = admissionOf([9000, 9000, 9000]);
    for (const [key, replica] of [
      ['a', 0],
      ['b', 0],
      ['c', 1],
      ['d', 2],
    ] as const) {
      const ticket = ask(admission, key, 4000, 0);
      send(admission, ticket, 0, replica);
    }
    const next = ask(admission, 'next', 4000, 10);
    expect(next).toMatchObject({ state: 'ready', isCold: true });
    expect([1, 2]).toContain(next.replica);
  });

  it('lets go in order of arrival, never the smaller one first', () => {
    const admission = admissionOf([5000]);
    const running = ask(admission, 'running', 3000, 0);
    send(admission, running, 0);
    const large = ask(admission, 'large', 4500, 10);
    const small = ask(admission, 'small', 1000, 20);
    expect([large.state, small.state]).toEqual(['held', 'held']);
    expect(admission.advance(open, 30)).toEqual([]);
    admission.finished(running, usageOf(3000), 100);
    expect(admission.advance(open, 60_000)[0]).toBe(large);
  });

  it('tells the place in the queue, and no wait before turns have been let go', () => {
    const admission = admissionOf([5000]);
    const running = ask(admission, 'running', 4000, 0);
    send(admission, running, 0);
    const held = [1, 2, 3].map((index) => ask(admission, `held${index}`, 4000, index));
    const places = held.map((ticket) => admission.place(ticket, 10));
    expect(places).toEqual([0, 1, 2].map((position) => ({ position, expectedWaitMs: null })));
    expect(admission.place(running, 10)).toBeNull();
    admission.advance(open, 130_000);
    expect(admission.view(130_000).held).toBe(0);
  });

  it('expects as long a wait for each place as lately went by between two that were let go', () => {
    const admission = admissionOf([5000], { maxHoldMs: 100_000 });
    const running = ask(admission, 'running', 4000, 0);
    send(admission, running, 0);
    const askedAt = [10_000, 20_000, 90_000, 91_000];
    const held = askedAt.map((at) => ask(admission, `held${at}`, 4000, at));
    const expected = (at: number) => held.map((ticket) => admission.place(ticket, at)?.expectedWaitMs);
    expect(admission.advance(open, 110_000)).toEqual([held[0]]);
    expect(expected(110_000)).toEqual([undefined, null, null, null]);
    expect(admission.advance(open, 120_000)).toEqual([held[1]]);
    expect(expected(120_000)).toEqual([undefined, undefined, 10_000, 20_000]);
    expect(expected(123_000)).toEqual([undefined, undefined, 7000, 17_000]);
    // Never less than nothing, and never longer than a turn is held at most.
    expect(expected(135_000)).toEqual([undefined, undefined, 0, 5000]);
    expect(expected(189_500)).toEqual([undefined, undefined, 0, 0]);
  });
});

describe('a conversation that had its share', () => {
  /** One place, taken by a conversation that has had `turns` turns of a second each; another waits since then. */
  function contested(turns: number) {
    const admission = admissionOf([5000], { yieldAfterMs: 2000 });
    for (let index = 0; index < turns; index += 1) turn(admission, 'old', 4000 + 10 * index, index * 1100);
    const since = turns * 1100;
    const running = ask(admission, 'old', 4000 + 10 * turns, since);
    send(admission, running, since);
    const waiting = ask(admission, 'waiting', 4000, since + 10);
    expect(waiting.state).toBe('held');
    return { admission, running, waiting, since };
  }

  it('gives up its place at its next turn when the head has waited long enough', () => {
    const { admission, running, waiting, since } = contested(40);
    expect(admission.advance(open, since + 2500)).toEqual([]);
    admission.finished(running, usageOf(4400, 4000), since + 3000);
    // Its home is known to the router all the while; that is no claim to the place that it has given up.
    const next = admission.request(
      { key: 'old', kind: 'agent', bodyBytes: 4500 * BYTES_PER_TOKEN, home: 0 },
      open,
      since + 3050,
    );
    expect(next.state).toBe('held');
    expect(admission.advance(open, since + 3050)).toEqual([waiting]);
    expect(admission.view(since + 3050).displacedTotal).toBe(1);
  });

  it('keeps it while the head has not', () => {
    const { admission, running, since } = contested(40);
    admission.finished(running, usageOf(4400, 4000), since + 1000);
    expect(ask(admission, 'old', 4500, since + 1050).state).toBe('ready');
  });

  it('keeps it before that', () => {
    const { admission, running, since } = contested(0);
    admission.finished(running, usageOf(4010, 4000), since + 3000);
    expect(ask(admission, 'old', 4100, since + 3050).state).toBe('ready');
  });
});

describe('conversations that had their shares while others wait', () => {
  it('give up their places one after another, at the rate that lets all who wait in within the time set', () => {
    const admission = admissionOf([12_500], { yieldAfterMs: 3000 });
    const residents = ['a', 'b', 'c'];
    let now = 0;
    for (let round = 0; round < 40; round += 1, now += 1050) {
      const tickets = residents.map((key) => ask(admission, key, 4000 + round, now));
      for (const ticket of tickets) send(admission, ticket, now);
      for (const ticket of tickets) {
        admission.answering(ticket, now + 500);
        admission.finished(ticket, usageOf(4000 + round, round === 0 ? 0 : 3990), now + 1000);
      }
    }
    const last = residents.map((key) => ask(admission, key, 4040, now));
    for (const ticket of last) send(admission, ticket, now);
    const waiting = ['x', 'y', 'z'].map((key) => ask(admission, key, 4000, now));
    expect(waiting.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
    let running = last;
    const gaveWay: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      // All of them end and ask at once. One place in three seconds for each of three who wait is one each second.
      now += 1050;
      for (const ticket of running) admission.finished(ticket, usageOf(4040, ticket.isCold ? 0 : 3990), now);
      const next = running.flatMap(({ turn: { key } }) => [
        ask(admission, key, 4060, now),
        ...admission.advance(open, now),
      ]);
      gaveWay.push(next.filter((ticket) => ticket.gaveWay).length);
      running = next.filter(({ state }) => state !== 'held');
      for (const ticket of running) send(admission, ticket, now);
      for (const ticket of running) admission.answering(ticket, now + 900);
    }
    expect(gaveWay).toEqual([1, 1, 1]);
  });
});

describe('a conversation that comes back after its place was taken', () => {
  it('goes where it was before, rather than drive out others that pause for long as well', () => {
    const admission = admissionOf([9000, 9000]);
    for (let index = 0; index < 12; index += 1) turn(admission, 'back', 2000 + 10 * index, index * 90_000);
    for (const [index, key] of ['p', 'q', 'r', 's'].entries()) {
      const pausing = ask(admission, key, 2000, 1_000_000 + index);
      admission.sent(pausing, 1, 1_000_000 + index);
      admission.answering(pausing, 1_001_000);
      admission.finished(pausing, usageOf(2000), 1_002_000);
    }
    for (const key of ['a', 'b', 'c', 'd']) {
      const running = ask(admission, key, 2100, 1_003_000);
      admission.sent(running, 0, 1_003_000);
      admission.answering(running, 1_003_500);
    }
    expect(ask(admission, 'back', 2200, 1_080_000)).toMatchObject({ state: 'ready', isCold: true, replica: 0 });
  });
});

describe('a replica with far more conversations than fit, though nobody waits', () => {
  /** Three conversations of 4,000 tokens, admitted before `capacityTokens` was known; the first asks for a fifth turn. */
  function fifthTurn(capacityTokens: number): Ticket {
    const admission = admissionOf([null]);
    const keys = ['a', 'b', 'c'];
    for (let round = 0; round < 4; round += 1) {
      const tickets = keys.map((key) => ask(admission, key, 4000 + 10 * round, round * 1100));
      for (const ticket of tickets) send(admission, ticket, round * 1100);
      for (const ticket of tickets) admission.answering(ticket, round * 1100 + 900);
      for (const ticket of tickets) admission.finished(ticket, usageOf(4000 + 10 * round), round * 1100 + 1000);
    }
    admission.setCapacity(0, capacityTokens);
    return ask(admission, 'a', 4040, 4 * 1100);
  }

  it('lets one go at its next turn', () => {
    expect(fifthTurn(9000).state).toBe('held');
  });

  it('keeps it where the cache stands it', () => {
    expect(fifthTurn(11_000).state).toBe('ready');
  });
});

describe('progress, whatever happens', () => {
  it('lets everything through while capacities are unknown', () => {
    const admission = admissionOf([null, null]);
    for (let index = 0; index < 50; index += 1) {
      const ticket = ask(admission, `c${index}`, 50_000, index);
      expect(ticket).toMatchObject({ state: 'ready', replica: null });
      send(admission, ticket, index, index % 2);
    }
  });

  it('learns an unknown capacity from a history that was lost', () => {
    const admission = admissionOf([null]);
    turn(admission, 'a', 4000, 0);
    turn(admission, 'b', 4000, 2000);
    const again = ask(admission, 'a', 4100, 4000);
    send(admission, again, 4000);
    admission.finished(again, usageOf(4100, 0), 5000);
    expect(admission.view(5000).replicas[0]).toMatchObject({ isCapacityLearned: true });
    expect(admission.view(5000).replicas[0]?.capacityTokens).toBeLessThan(8500);
    // The cache of that replica may be lost; another replica in its place may have a larger one.
    admission.forgetReplica(0, 5000);
    expect(admission.view(5000).replicas[0]).toMatchObject({ isCapacityLearned: true });
    admission.replaceReplica(0, 5000);
    const anew = { isCapacityLearned: false, capacityTokens: null, aliveConversations: 0 };
    expect(admission.view(5000).replicas[0]).toMatchObject(anew);
  });

  it('leaves all to the engine where only one conversation fits and no pause is worth keeping its place for', () => {
    const admission = admissionOf([5000]);
    for (let index = 0; index < 12; index += 1) turn(admission, 'slow', 4000 + 10 * index, index * 90_000);
    const running = ask(admission, 'slow', 4200, 1_090_000);
    send(admission, running, 1_090_000);
    const other = ask(admission, 'other', 4000, 1_090_100);
    expect(other).toMatchObject({ state: 'ready', replica: null });
    send(admission, other, 1_091_000);
    expect(ask(admission, 'third', 4000, 1_092_000)).toMatchObject({ state: 'ready', replica: null });
  });

  it('sends a conversation that is larger than any cache where it is alone', () => {
    const admission = admissionOf([5000]);
    expect(ask(admission, 'huge', 50_000, 0)).toMatchObject({ state: 'ready', replica: 0 });
  });

  it('sends one that is larger than any cache at the latest after the longest hold', () => {
    const admission = admissionOf([5000], { maxHoldMs: 30_000 });
    const running = ask(admission, 'running', 1000, 0);
    send(admission, running, 0);
    const huge = ask(admission, 'huge', 50_000, 10);
    expect(huge.state).toBe('held');
    expect(admission.nextWakeAt(10)).toBe(30_010);
    expect(admission.advance(open, 30_009)).toEqual([]);
    expect(admission.advance(open, 30_010)).toEqual([huge]);
  });

  it('gives the places of the silent to those who wait', () => {
    const admission = admissionOf([5000]);
    turn(admission, 'silent', 4000, 0);
    const waiting = ask(admission, 'waiting', 4000, 1010);
    expect(waiting.state).toBe('held');
    const wakeAt = admission.nextWakeAt(1010) ?? 0;
    expect(wakeAt).toBeLessThan(30_000);
    expect(admission.advance(open, wakeAt)).toEqual([waiting]);
  });

  it('goes on where the clock is set back, and where it jumps ahead', () => {
    const admission = admissionOf([5000], { maxHoldMs: 20_000 });
    const running = ask(admission, 'running', 4000, 1_000_000);
    send(admission, running, 1_000_000);
    const waiting = ask(admission, 'waiting', 4000, 1_000_000);
    expect(admission.advance(open, 400_000)).toEqual([]);
    const wakeAt = admission.nextWakeAt(400_000) ?? 0;
    expect(wakeAt).toBe(420_000);
    expect(admission.advance(open, wakeAt)).toEqual([waiting]);

    const later = ask(admission, 'later', 4000, 421_000);
    expect(later.state).toBe('held');
    expect(admission.advance(open, 99_000_000)).toEqual([later]);
  });

  it('sends a turn beyond the longest queue at once', () => {
    const admission = admissionOf([5000], { maxHeld: 1 });
    send(admission, ask(admission, 'running', 4000, 0), 0);
    expect(ask(admission, 'held', 4000, 1).state).toBe('held');
    expect(ask(admission, 'beyond', 4000, 2)).toMatchObject({ state: 'ready', replica: 0 });
  });

  it('hands a held turn back without a replica where none is open after the longest hold', () => {
    const admission = admissionOf([5000]);
    send(admission, ask(admission, 'running', 4000, 0), 0);
    const held = ask(admission, 'held', 4000, 1);
    expect(admission.advance(() => false, 120_001)).toEqual([held]);
    expect(held).toMatchObject({ state: 'ready', replica: null });
  });
});

describe('turns that end early', () => {
  it('frees the place in the queue of a client that has left', () => {
    const admission = admissionOf([5000]);
    const running = ask(admission, 'running', 4000, 0);
    send(admission, running, 0);
    const gone = ask(admission, 'gone', 4900, 1);
    const next = ask(admission, 'next', 900, 2);
    admission.left(gone, 3);
    expect(admission.advance(open, 3)).toEqual([next]);
    expect(gone.state).toBe('ended');
  });

  it('counts a turn that failed over on the replica that got it, once', () => {
    const admission = admissionOf([9000, 9000]);
    const ticket = ask(admission, 'moved', 4000, 0);
    admission.sent(ticket, 0, 0);
    admission.sent(ticket, 1, 5);
    admission.sent(ticket, 1, 6);
    expect(admission.view(6).replicas.map((replica) => replica.aliveConversations)).toEqual([0, 1]);
    admission.finished(ticket, null, 10);
    admission.finished(ticket, null, 11);
    expect(ask(admission, 'moved', 4000, 20)).toMatchObject({ isCold: false });
  });

  it('takes a conversation whose replica lost its cache as one that has to be computed anew', () => {
    const admission = admissionOf([9000]);
    turn(admission, 'a', 4000, 0);
    admission.forgetReplica(0, 1500);
    expect(ask(admission, 'a', 4000, 2000).isCold).toBe(true);
  });

  it('lets all go when it is switched off, and follows a change of the replicas', () => {
    const admission = admissionOf([5000, 5000]);
    for (const [index, key] of ['a', 'b'].entries()) send(admission, ask(admission, key, 4000, 0), 0, index);
    const held = [ask(admission, 'c', 4000, 1), ask(admission, 'd', 4000, 1)];
    expect(admission.drain(2)).toEqual(held);
    expect(held.map(({ state }) => state)).toEqual(['ready', 'ready']);
    admission.resize(1, 2);
    expect(admission.view(3).replicas).toHaveLength(1);
    admission.setCapacity(0, 50_000);
    expect(admission.view(3).replicas[0]?.capacityTokens).toBe(50_000);
    admission.configure({ ...DEFAULT_ADMISSION, yieldAfterMs: 1234 });
    expect(admission.view(3).yieldAfterMs).toBe(1234);
  });
});
