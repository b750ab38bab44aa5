import { describe, expect, it } from 'vitest';
import { because, type ReasonCode, reasonSentence } from './reason.ts';

describe('a reason', () => {
  it.each<[ReasonCode, Record<string, string | number>, string]>([
    ['asked_for', { replica: 3 }, 'the client asked for replica 3'],
    [
      'least_load',
      { replica: 0, in_flight: 0, live: 1 },
      'no home known; replica 0 has the least load (0 in flight, 1 live session)',
    ],
    [
      'home_busy',
      { home: 1, in_flight: 8, threshold: 8, replica: 2, warm: 'yes' },
      'home 1 has 8 in flight, threshold 8; replica 2 already holds part of it',
    ],
    ['affinity_off', {}, 'affinity is off: the engine chooses'],
    [
      'affinity_off',
      { replica: 0 },
      "affinity is off: replica 0 has the least waiting and running, by the engine's own rule",
    ],
  ])('says %s with %j', (code, values, sentence) => {
    expect(reasonSentence({ code, values })).toBe(sentence);
  });

  it('comes as the sentence and as what it is made of, which agree', () => {
    const { reason, why } = because('stands_in', { home: 2, replica: 0 });
    expect(why).toEqual({ code: 'stands_in', values: { home: 2, replica: 0 } });
    expect(reason).toBe(reasonSentence(why));
  });
});
