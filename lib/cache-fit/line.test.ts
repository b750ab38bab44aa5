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
  admission.hear({ waitsMs, replicas: [{ conversations: tokens === 0 ? 0 : 1, tokens, inFlight: 0 }] }, now);

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
    admission.forgetReplica(0);
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
      admission.hear({ waitsMs: [], replicas }, 10);
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
