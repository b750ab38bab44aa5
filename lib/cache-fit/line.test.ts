import { describe, expect, it } from 'vitest';
import { type Admission, createAdmission } from './admission.ts';
import { DEFAULT_ADMISSION, NO_LOAD_ELSEWHERE, NOTHING_ELSEWHERE, type Ticket } from './types.ts';

const open = () => true;
const CACHE = 5000;

const admissionOf = (settings: Partial<typeof DEFAULT_ADMISSION> = {}) =>
  createAdmission({ capacityTokens: [CACHE], settings: { ...DEFAULT_ADMISSION, ...settings } });

const ask = (admission: Admission, key: string, now: number, tokens = 4000): Ticket =>
  admission.request({ key, kind: 'agent', bodyBytes: tokens * 4 }, open, now);

const hear = (admission: Admission, now: number, waitsMs: readonly number[], tokens = 0) =>
  admission.hear(
    { ...NOTHING_ELSEWHERE, waitsMs, replicas: [{ conversations: tokens === 0 ? 0 : 1, tokens, inFlight: 0 }] },
    now,
  );

describe('one line over several routers', () => {
  it('leaves room to a turn that has waited longer elsewhere, until it has come or does not want it', () => {
    const admission = admissionOf();
    hear(admission, 1000, [4000]);
    const ticket = ask(admission, 'new', 1000);
    expect(ticket.state).toBe('held');
    expect(admission.advance(open, 1000)).toEqual([]);
    hear(admission, 2000, [5000]);
    expect(admission.advance(open, 2000)).toEqual([]);
    expect(admission.nextWakeAt(2000)).toBe(4000);
    expect(admission.advance(open, 4000)).toEqual([ticket]);
  });

  it('goes on at once when nobody waits elsewhere any more', () => {
    const admission = admissionOf();
    hear(admission, 0, [4000]);
    const ticket = ask(admission, 'new', 0);
    expect(admission.advance(open, 0)).toEqual([]);
    hear(admission, 500, []);
    expect(admission.advance(open, 500)).toEqual([ticket]);
  });

  it('sends its own first where that has waited longest', () => {
    const admission = admissionOf();
    const running = ask(admission, 'running', 0);
    admission.sent(running, 0, 0);
    const ticket = ask(admission, 'waiting', 100);
    hear(admission, 2000, [1000, 500]);
    expect(admission.place(ticket, 2000)).toMatchObject({ position: 0 });
    const later = ask(admission, 'later', 1800);
    expect(admission.place(later, 2000)).toMatchObject({ position: 3 });
    admission.left(running, 2000);
    admission.forgetReplica(0, 2000);
    expect(admission.advance(open, 2000)).toEqual([ticket]);
  });

  it('gives way for one that waits elsewhere as for one of its own, and only one at a time', () => {
    const admission = createAdmission({
      capacityTokens: [4 * CACHE],
      settings: { ...DEFAULT_ADMISSION, yieldAfterMs: 2000 },
    });
    for (let round = 0; round < 12; round += 1) {
      for (const [index, key] of ['a', 'b'].entries()) {
        const at = round * 2000 + index * 1000;
        const ticket = ask(admission, key, at, 2000 + 10 * round);
        admission.sent(ticket, 0, at);
        admission.answering(ticket, at + 100);
        const usage = { promptTokens: 2000 + 10 * round, cachedTokens: 1990, completionTokens: 10 };
        admission.finished(ticket, round === 0 ? { ...usage, cachedTokens: 0 } : usage, at + 900);
      }
    }
    hear(admission, 24_000, [1500], 1000);
    expect(ask(admission, 'a', 24_000, 2130).state).toBe('ready');
    hear(admission, 25_000, [2500], 1000);
    expect(ask(admission, 'b', 25_000, 2130)).toMatchObject({ state: 'held', gaveWay: true });
    expect(ask(admission, 'a', 26_000, 2140).gaveWay).toBe(false);
    expect(admission.view(26_000).displacedTotal).toBe(1);
  });
});

describe('what other routers keep on a replica', () => {
  it('is no room here, not even for one that is alone here', () => {
    const admission = admissionOf();
    hear(admission, 0, [], 4500);
    const ticket = ask(admission, 'new', 0);
    expect(ticket.state).toBe('held');
    hear(admission, 1000, [], 0);
    expect(admission.advance(open, 1000)).toEqual([ticket]);
  });

  it('is load, so that a newcomer goes where fewer conversations live, wherever they are served', () => {
    const admission = createAdmission({ capacityTokens: [20_000, 20_000, 20_000], settings: DEFAULT_ADMISSION });
    // One is full, so that admission has a say.
    for (let index = 0; index < 5; index += 1) admission.sent(ask(admission, `c${index}`, index), 0, index);
    const few = { conversations: 2, tokens: 6000, inFlight: 1 };
    const more = { conversations: 3, tokens: 6000, inFlight: 1 };
    for (const [replicas, chosen] of [
      [[NO_LOAD_ELSEWHERE, few, more], 1],
      [[NO_LOAD_ELSEWHERE, more, few], 2],
    ] as const) {
      admission.hear({ ...NOTHING_ELSEWHERE, replicas }, 10);
      expect(ask(admission, `new ${chosen}`, 10)).toMatchObject({ state: 'ready', replica: chosen });
    }
  });

  it('does not make a cache look too small to arrange anything', () => {
    const admission = createAdmission({ capacityTokens: [16_000], settings: DEFAULT_ADMISSION });
    hear(admission, 0, [], 14_000);
    expect(ask(admission, 'new', 0).state).toBe('held');
  });

  it('is forgotten when nothing is heard of them any more', () => {
    const admission = admissionOf();
    hear(admission, 0, [90_000], 4500);
    const ticket = ask(admission, 'new', 0);
    expect(ticket.state).toBe('held');
    admission.hear(NOTHING_ELSEWHERE, 1000);
    expect(admission.advance(open, 1000)).toEqual([ticket]);
  });
});

describe('two routers that tell one another of their conversations', () => {
  const capacityTokens = [10_000];
  const settings = { ...DEFAULT_ADMISSION, yieldAfterMs: 2000 };
  const usage = { promptTokens: 4000, cachedTokens: null, completionTokens: 10 };

  function two() {
    const [one, other] = [createAdmission({ capacityTokens, settings }), createAdmission({ capacityTokens, settings })];
    const news = (now: number) => {
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        to.hear({ ...NOTHING_ELSEWHERE, newsMs: 500, conversations: from.tell(now) }, now);
      }
    };
    return { one, other, news };
  }

  /** A turn of a second; the news of it are told while it runs, and after it. */
  function turn(admission: Admission, news: (now: number) => void, key: string, now: number): Ticket {
    const ticket = ask(admission, key, now);
    if (ticket.state === 'held') return ticket;
    admission.sent(ticket, ticket.replica ?? 0, now);
    admission.answering(ticket, now + 100);
    news(now + 200);
    admission.finished(ticket, usage, now + 1000);
    news(now + 1010);
    return ticket;
  }

  it('know a conversation as warm whichever of them it comes to, and count its turns as one', () => {
    const { one, other, news } = two();
    for (let round = 0; round < 6; round += 1) {
      const ticket = turn(round % 2 === 0 ? one : other, news, 'a', round * 1200);
      expect(ticket).toMatchObject({ state: 'ended', isCold: round === 0 });
    }
    expect(one.tell(8000)).toMatchObject([]);
    expect(other.tell(8000)).toMatchObject([{ key: 'a', turns: 6, turnsHere: 6, replica: 0 }]);
    expect(one.view(8000).live).toMatchObject({ conversations: 1 });
  });

  it('fill a replica once', () => {
    const { one, other, news } = two();
    for (const [index, key] of ['a', 'b'].entries()) {
      const ticket = ask(one, key, index);
      one.sent(ticket, 0, index);
    }
    news(100);
    expect(ask(other, 'c', 200).state).toBe('held');
  });

  it('take a place for free when nothing more is heard of its turn', () => {
    const { one, other, news } = two();
    for (const key of ['a', 'b']) one.sent(ask(one, key, 0), 0, 0);
    news(100);
    const waiting = ask(other, 'c', 200);
    expect(other.advance(open, 2900)).toEqual([]);
    const wakeAt = other.nextWakeAt(2900) ?? 0;
    expect(wakeAt).toBeLessThan(4000);
    other.advance(open, wakeAt);
    expect(other.advance(open, other.nextWakeAt(wakeAt) ?? 0)).toEqual([waiting]);
  });

  it('keep a conversation that needs much room in front of later ones that need little, as one router does', () => {
    const { one, other, news } = two();
    for (const key of ['a', 'b']) {
      const ticket = ask(one, key, 0);
      one.sent(ticket, 0, 0);
      one.answering(ticket, 50);
    }
    news(100);
    const large = ask(other, 'large', 200, 6000);
    news(250);
    const small = ask(one, 'small', 300, 1000);
    news(400);
    expect([large.state, small.state]).toEqual(['held', 'held']);
    for (const at of [500, 3600, 9000]) {
      news(at);
      expect([...one.advance(open, at), ...other.advance(open, at)]).toEqual([]);
    }
    other.left(large, 9100);
    news(9200);
    expect(one.advance(open, 9200)).toEqual([small]);
  });

  it('free for both the place that one of them takes away', () => {
    const { one, other, news } = two();
    const begin = (key: string, now: number): Ticket => {
      const ticket = ask(one, key, now);
      if (ticket.state === 'ready') one.sent(ticket, 0, now);
      return ticket;
    };
    const end = (ticket: Ticket, now: number): void => {
      one.answering(ticket, now - 900);
      one.finished(ticket, usage, now);
    };
    let running: Ticket[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (const ticket of running) end(ticket, round * 1100 - 100);
      running = ['a', 'b'].map((key) => begin(key, round * 1100));
      news(round * 1100 + 10);
    }
    const waiting = ask(other, 'c', 3400);
    expect(waiting.state).toBe('held');
    news(3500);
    for (const ticket of running) end(ticket, 6000);
    expect(['a', 'b'].map((key) => begin(key, 6100).gaveWay)).toEqual([true, false]);
    news(6200);
    expect(other.advance(open, 6200)).toEqual([waiting]);
  });

  it('take for running what is told as running, however its times are read', () => {
    const { one, other } = two();
    for (const key of ['a', 'b']) one.sent(ask(one, key, 0), 0, 0);
    for (let now = 250; now <= 20_000; now += 250) {
      const conversations = one.tell(now).map((told) => ({ ...told, changedAgoMs: now + (now === 250 ? -300 : 0) }));
      other.hear({ ...NOTHING_ELSEWHERE, newsMs: 500, conversations }, now);
    }
    expect(other.view(20_100).replicas[0]).toMatchObject({ workingSetTokens: 8000 });
    expect(ask(other, 'c', 20_100).state).toBe('held');
  });

  it('know that a turn still runs at one when another of the same conversation has ended at the other', () => {
    const { one, other, news } = two();
    one.sent(ask(one, 'a', 0), 0, 0);
    news(100);
    const parallel = ask(other, 'a', 200);
    other.sent(parallel, parallel.replica ?? 0, 200);
    other.finished(parallel, usage, 1000);
    for (let now = 1250; now <= 20_000; now += 250) news(now);
    expect(other.view(20_000).replicas[0]?.workingSetTokens).toBeGreaterThan(3000);
    expect(other.view(20_000).live).toMatchObject({ conversations: 1 });
  });

  it('send home a turn that is held where its conversation has got a place elsewhere meanwhile', () => {
    const { one, other, news } = two();
    const running = ['a', 'b'].map((key) => {
      const ticket = ask(one, key, 0);
      one.sent(ticket, 0, 0);
      one.answering(ticket, 50);
      return ticket;
    });
    news(100);
    const here = ask(one, 'x', 200);
    const there = ask(other, 'x', 300);
    expect([here.state, there.state]).toEqual(['held', 'held']);
    for (const ticket of running) one.left(ticket, 1000);
    one.forgetReplica(0, 1000);
    expect(one.advance(open, 1000)).toEqual([here]);
    one.sent(here, 0, 1000);
    news(1100);
    expect(other.advance(open, 1200)).toEqual([there]);
    expect(there.replica).toBe(0);
  });

  it('let a newcomer wait for who waits elsewhere though one before it has waited that time and left', () => {
    const { other } = two();
    const leader = { key: 'l', kind: 'agent', replica: null, tokens: 4000, shared: 0, lastTotal: null, turns: 0 };
    const held = { ...leader, turnsHere: 0, isInFlight: false, computing: 0, changedAgoMs: 0 };
    const hearOf = (now: number) =>
      other.hear({ ...NOTHING_ELSEWHERE, conversations: [{ ...held, heldForMs: now + 1000 }] }, now);
    hearOf(0);
    const first = ask(other, 'first', 0);
    expect(other.advance(open, 0)).toEqual([]);
    other.left(first, 2000);
    hearOf(60_000);
    const second = ask(other, 'second', 60_000);
    expect(other.advance(open, 60_000)).toEqual([]);
    hearOf(63_000);
    expect(other.advance(open, 63_000)).toEqual([second]);
    // Who did not take the room that was left to it is waited for no more.
    hearOf(64_000);
    const third = ask(other, 'third', 64_000);
    expect(other.advance(open, 64_000)).toEqual([third]);
  });

  it('do not bring back by old news what a replica has lost', () => {
    const { one, other, news } = two();
    turn(one, news, 'a', 0);
    other.forgetReplica(0, 1200);
    news(1300);
    expect(other.view(1300).replicas[0]).toMatchObject({ aliveConversations: 0 });
    expect(ask(other, 'a', 1400).isCold).toBe(true);
  });
});

it('remembers what runs elsewhere, however many that are', () => {
  const admission = createAdmission({ capacityTokens: [1e6], settings: DEFAULT_ADMISSION, maxConversations: 100 });
  const far = createAdmission({ capacityTokens: [1e6], settings: DEFAULT_ADMISSION });
  for (let index = 0; index < 150; index += 1) far.sent(ask(far, `c${index}`, 0), 0, 0);
  admission.hear({ ...NOTHING_ELSEWHERE, conversations: far.tell(100) }, 100);
  expect(admission.view(200).replicas[0]).toMatchObject({ aliveConversations: 150 });
});
