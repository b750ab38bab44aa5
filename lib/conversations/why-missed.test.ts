import { describe, expect, it } from 'vitest';
import { missSentence } from './miss.ts';
import type { PromptChange } from './prompt-change.ts';
import { type LastTurns, whyMissed } from './why-missed.ts';

const GREW: PromptChange = {
  changedAt: null,
  messagesBefore: 5,
  messagesNow: 7,
  system: false,
  tools: false,
  firstBlock: false,
  systemEntriesAdded: 0,
};

/** A turn at home that read nothing from its cache, with what the test is about changed. */
function missed(changes: Partial<Omit<LastTurns, 'now'>> & { now?: Partial<LastTurns['now']> } = {}): LastTurns {
  const before = { replica: 0, promptTokens: 10_000, cachedTokens: 9_000 };
  return {
    before,
    gapSeconds: 90,
    change: GREW,
    restarted: false,
    firstBlockSent: true,
    workingSetTokens: null,
    cacheTokens: null,
    blockTokens: 16,
    ...changes,
    now: { replica: 0, promptTokens: 10_500, cachedTokens: 512, decision: 'sticky', ...changes.now },
  };
}

describe('a turn that hit', () => {
  it('needs no reason: it read what the turn before had left, but for the last block', () => {
    expect(whyMissed(missed({ now: { cachedTokens: 9_984 } }))).toBeNull();
    expect(whyMissed(missed({ now: { cachedTokens: 8_000 } }))).toBeNull();
    expect(whyMissed(missed({ now: { cachedTokens: 7_999 } }))).not.toBeNull();
  });

  it('needs no reason where there was not one whole block to be read', () => {
    const short = { replica: 0, promptTokens: 11, cachedTokens: 0 };
    expect(whyMissed(missed({ before: short, now: { promptTokens: 11, cachedTokens: 0 } }))).toBeNull();
    const twoBlocks = { replica: 0, promptTokens: 40, cachedTokens: 0 };
    expect(whyMissed(missed({ before: twoBlocks, now: { promptTokens: 60, cachedTokens: 0 } }))).not.toBeNull();
    const hybrid = missed({ before: twoBlocks, now: { promptTokens: 60, cachedTokens: 0 }, blockTokens: 528 });
    expect(whyMissed(hybrid)).toBeNull();
  });

  it('needs none where the very same prompt came again: its last token is computed in any case', () => {
    const before = { replica: 0, promptTokens: 32, cachedTokens: 0 };
    expect(whyMissed(missed({ before, now: { promptTokens: 32, cachedTokens: 16 } }))).toBeNull();
  });

  it('may be much longer than the turn before', () => {
    expect(whyMissed(missed({ now: { promptTokens: 60_000, cachedTokens: 9_984 } }))).toBeNull();
  });
});

function sentence(turns: LastTurns): string {
  const miss = whyMissed(turns);
  return miss === null ? '' : missSentence(miss);
}

describe('a turn that missed', () => {
  const changed = (change: Partial<PromptChange>) => missed({ change: { ...GREW, ...change } });

  it.each([
    ['not measured', missed({ now: { cachedTokens: null } }), /did not report/],
    [
      'spilled',
      missed({ now: { replica: 2, decision: 'spilled' } }),
      /replica 2, as its home was at the spill threshold; .* cache of replica 0/,
    ],
    ['placed anew', missed({ now: { replica: 2, decision: 'placed' } }), /placed anew/],
    ['restarted', missed({ restarted: true }), /engine was restarted/],
    ['unrouted', missed({ now: { replica: null, decision: 'unrouted' } }), /engine chose the replica itself/],
    ['first block', changed({ firstBlock: true }), /x-anthropic-billing-header/],
    ['system prompt', changed({ system: true }), /changed its system prompt/],
    ['tools', changed({ tools: true }), /changed its tools/],
    ['first message', changed({ changedAt: 0 }), /rewrote the first message/],
    ['message in the middle', changed({ changedAt: 3 }), /from message 4 on/],
    ['compaction', changed({ changedAt: 0, messagesNow: 3 }), /compaction or a step back\): 5 messages became 3/],
    ['hoisted', changed({ systemEntriesAdded: 1 }), /added a system message between the others/],
    ['evicted', missed(), /^Evicted: other conversations on replica 0 took its place in the cache in the 1 min 30 s/],
    [
      'too much for the cache',
      missed({ workingSetTokens: 61_000, cacheTokens: 38_000 }),
      /replica 0 need 61k tokens, and its cache holds 38k/,
    ],
    ['enough room', missed({ workingSetTokens: 20_000, cacheTokens: 38_000 }), /^Evicted: other/],
    ['not compared', missed({ change: null }), /^Evicted/],
  ])('%s: says so', (_, turns, expected) => {
    expect(sentence(turns)).toMatch(expected);
    expect(sentence(turns)).toMatch(/^[A-Z].*\.$/);
  });

  it('is not laid on a first block that the engine never saw change', () => {
    expect(sentence({ ...changed({ firstBlock: true }), firstBlockSent: false })).toMatch(/^Evicted/);
  });

  it('is first of all laid on the replica: what changed besides made no difference there', () => {
    const turns = { ...changed({ firstBlock: true }), restarted: true };
    expect(sentence({ ...turns, now: { ...turns.now, replica: 1, decision: 'failed_over' } })).toMatch(/home was down/);
  });
});
