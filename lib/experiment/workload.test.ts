import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { createSyntheticWorkload, type WorkloadNumbers } from './synthetic-workload.ts';
import { createReplay, parseTrace } from './trace.ts';

const NUMBERS: WorkloadNumbers = {
  systemTokens: 100,
  firstMessageTokens: { least: 40, most: 60 },
  turns: 3,
  turnTokens: { least: 10, most: 20 },
  outputTokens: { least: 5, most: 5 },
  thinkSeconds: { least: 1, most: 3 },
  subagents: 2,
  subagentTurns: 2,
};

function commonPrefix(a: Uint32Array, b: Uint32Array): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return length;
}

describe('synthetic conversations', () => {
  const workload = createSyntheticWorkload(NUMBERS, 7);

  it('are the same in whatever order they are asked for', () => {
    const other = createSyntheticWorkload(NUMBERS, 7);
    other.session(9);
    expect(other.session(3)).toEqual(workload.session(3));
    expect(createSyntheticWorkload(NUMBERS, 8).session(3)).not.toEqual(workload.session(3));
  });

  it('share the system prompt and nothing after it', () => {
    const one = new Conversation(workload.session(0)).begin().prompt;
    const two = new Conversation(workload.session(1)).begin().prompt;
    expect(commonPrefix(one, two)).toBe(100);
  });

  it('resend the whole history and the answer with each turn', () => {
    const conversation = new Conversation(workload.session(0));
    const first = conversation.begin();
    const second = conversation.begin();
    expect(commonPrefix(first.prompt, second.prompt)).toBe(first.prompt.length);
    const answer = second.prompt.subarray(first.prompt.length, first.prompt.length + first.output.length);
    expect([...answer]).toEqual([...first.output]);
  });

  it('stay within their ranges', () => {
    for (const turn of workload.session(5).turns.slice(1)) {
      expect(turn.thinkMs).toBeGreaterThanOrEqual(1000);
      expect(turn.thinkMs).toBeLessThanOrEqual(3000);
      expect(turn.input[0]?.tokens).toBeGreaterThanOrEqual(10);
      expect(turn.input[0]?.tokens).toBeLessThanOrEqual(20);
    }
  });

  it('call all their subagents before one later turn', () => {
    const calls = workload.session(0).turns.map(({ subagents }) => subagents.length);
    expect(calls[0]).toBe(0);
    expect(calls.filter((count) => count > 0)).toEqual([2]);
  });
});

/** Four requests: one continued with its answer, one that lost its last block, one after a subagent. */
const TRACE = JSON.stringify({
  id: 'trace_x',
  block_size: 10,
  tool_tokens: 20,
  system_tokens: 10,
  requests: [
    { type: 'n', in: 52, out: 8, hash_ids: [1, 2, 3, 4, 5], think_time: 0 },
    { type: 's', in: 75, out: 4, hash_ids: [1, 2, 3, 4, 5, 6, 7], think_time: 4000 },
    {
      type: 'subagent',
      agent_id: 'a1',
      tool_tokens: 5,
      system_tokens: 0,
      requests: [{ type: 'n', in: 30, out: 2, hash_ids: [1, 2, 3] }],
    },
    { type: 'n', in: 95, out: 3, hash_ids: [1, 2, 3, 4, 5, 6, 8, 9, 10], think_time: 2 },
  ],
});

describe('replayed conversations', () => {
  const recorded = parseTrace(TRACE, 'trace_x.json');
  const replay = createReplay([recorded], { scale: 1, maxThinkSeconds: 60 }, 1);

  it('have the recorded prompt lengths, and keep what the recording kept', () => {
    const conversation = new Conversation(replay.session(0));
    const [one, two, three] = [conversation.begin(), conversation.begin(), conversation.begin()];
    expect([one, two, three].map(({ prompt }) => prompt.length)).toEqual([52, 75, 95]);
    expect(commonPrefix(one.prompt, two.prompt)).toBe(52);
    expect(commonPrefix(two.prompt, three.prompt)).toBe(60);
  });

  it('share tools and system prompt with the next round of the same conversation, under another key', () => {
    const again = replay.session(1);
    expect(again.key).not.toBe(replay.session(0).key);
    const prompts = [replay.session(0), again].map((script) => new Conversation(script).begin().prompt);
    expect(commonPrefix(prompts[0] ?? new Uint32Array(), prompts[1] ?? new Uint32Array())).toBe(30);
  });

  it('cut pauses and start subagents before the turn that follows them', () => {
    const { turns } = replay.session(0);
    expect(turns.map(({ thinkMs }) => thinkMs)).toEqual([0, 60_000, 2000]);
    expect(turns.map(({ subagents }) => subagents.length)).toEqual([0, 0, 1]);
  });

  it('shrink to scale', () => {
    const half = createReplay([recorded], { scale: 0.5, maxThinkSeconds: 60 }, 1).session(0);
    const conversation = new Conversation(half);
    expect([conversation.begin(), conversation.begin()].map(({ prompt }) => prompt.length)).toEqual([26, 38]);
  });

  it('say which file is not a recording', () => {
    expect(() => parseTrace('{"id": 1}', 'package.json')).toThrow('package.json is not a recorded conversation');
  });
});
