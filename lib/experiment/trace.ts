import { z } from 'zod';
import { createRandom } from '#lib/simulation/random.ts';
import { hashText } from './hash-text.ts';
import type { Segment, SessionScript, TurnScript, Workload } from './session-script.ts';

const requestSchema = z.object({
  type: z.enum(['n', 's']),
  in: z.int().positive(),
  out: z.int().nonnegative(),
  hash_ids: z.array(z.int()),
  think_time: z.number().nonnegative().default(0),
});

const agentFields = { tool_tokens: z.int().nonnegative(), system_tokens: z.int().nonnegative() };

const subagentSchema = z.object({
  type: z.literal('subagent'),
  agent_id: z.string(),
  ...agentFields,
  requests: z.array(requestSchema),
});

const conversationSchema = z.object({
  id: z.string(),
  block_size: z.int().positive(),
  ...agentFields,
  requests: z.array(z.discriminatedUnion('type', [requestSchema, subagentSchema])),
});

/** A recorded conversation: block ids of its prompts, token counts and pauses, in the format of kv-cache-tester. */
export type RecordedConversation = z.infer<typeof conversationSchema>;
type RecordedRequest = z.infer<typeof requestSchema>;

/** Parses one trace file; throws with the file's name where it is not one. */
export function parseTrace(text: string, fileName: string): RecordedConversation {
  try {
    return conversationSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${fileName} is not a recorded conversation`, { cause: error });
  }
}

export type ReplayOptions = {
  /** Token counts are multiplied by this: 0.25 makes conversations of 64k tokens fit a model of 16k. */
  readonly scale: number;
  /** Pauses are cut here: a person who came back after lunch adds nothing to a step of ten minutes. */
  readonly maxThinkSeconds: number;
};

/** The recorded conversations over and over, each time in another order and under new session keys. */
export function createReplay(
  recorded: readonly RecordedConversation[],
  options: ReplayOptions,
  seed: number,
): Workload {
  if (recorded.length === 0) throw new RangeError('a replay needs at least one conversation');
  return {
    session: (index) => {
      const round = Math.floor(index / recorded.length);
      const order = shuffled(recorded, hashText(`${seed}:${round}`));
      const conversation = order[index % recorded.length] ?? order[0];
      if (conversation === undefined) throw new RangeError('no conversation');
      return replaySession(conversation, options, `${seed}.${index}`);
    },
  };
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Whose requests are replayed: the conversation itself or one of its subagents. */
type Agent = ReplayOptions & {
  readonly key: string;
  readonly blockSize: number;
  readonly toolTokens: number;
  readonly systemTokens: number;
};

function replaySession(conversation: RecordedConversation, options: ReplayOptions, key: string): SessionScript {
  const agentOf = (own: string, from: Pick<RecordedConversation, 'tool_tokens' | 'system_tokens'>): Agent => ({
    ...options,
    key: own,
    blockSize: conversation.block_size,
    toolTokens: from.tool_tokens,
    systemTokens: from.system_tokens,
  });
  const main = agentOf(key, conversation);
  const turns: TurnScript[] = [];
  let called: SessionScript[] = [];
  let before: RecordedRequest | null = null;
  for (const entry of conversation.requests) {
    if (entry.type === 'subagent') {
      const agent = agentOf(`${key}/${entry.agent_id}`, entry);
      const agentTurns = entry.requests.map((request, turn) =>
        replayTurn(agent, turn, request, entry.requests[turn - 1] ?? null),
      );
      called.push({ key: agent.key, turns: agentTurns });
      continue;
    }
    turns.push({ ...replayTurn(main, turns.length, entry, before), subagents: called });
    called = [];
    before = entry;
  }
  return { key, turns };
}

function replayTurn(agent: Agent, turn: number, request: RecordedRequest, before: RecordedRequest | null): TurnScript {
  const scaled = (tokens: number) => Math.max(1, Math.round(tokens * agent.scale));
  const prompt = scaled(request.in);
  const content = `${agent.key}:${turn}`;
  const kept = before === null ? 0 : keptTokens(agent, before, request);
  const shared = before === null ? sharedPrompt(agent, prompt) : [];
  const known = kept + shared.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    thinkMs: before === null ? 0 : Math.min(request.think_time, agent.maxThinkSeconds) * 1000,
    keepTokens: kept,
    input: [...shared, { content, tokens: Math.max(1, prompt - known) }],
    outputTokens: scaled(request.out),
    subagents: [],
  };
}

/**
 * How much of the history a prompt begins with. The trace names the blocks of prompts and not those of answers: where a
 * prompt continues the one before and is longer than that and its answer together, the answer is taken to stand in it.
 */
function keptTokens({ blockSize, scale }: Agent, before: RecordedRequest, request: RecordedRequest): number {
  let common = 0;
  while (common < before.hash_ids.length && before.hash_ids[common] === request.hash_ids[common]) common += 1;
  const continues = common === before.hash_ids.length;
  const withAnswer = Math.round(before.in * scale) + Math.round(before.out * scale);
  if (continues && withAnswer < Math.round(request.in * scale)) return withAnswer;
  return Math.min(Math.floor(common * blockSize * scale), Math.max(0, Math.round(request.in * scale) - 1));
}

/** Block ids hold within one conversation; tools and system prompts of the same size are taken to be the same. */
function sharedPrompt({ scale, toolTokens, systemTokens }: Agent, prompt: number): Segment[] {
  const tools = Math.min(Math.round(toolTokens * scale), prompt - 1);
  const system = Math.min(Math.round(systemTokens * scale), prompt - 1 - tools);
  return [
    { content: `tools-${toolTokens}`, tokens: tools },
    { content: `tools-${toolTokens}/system-${systemTokens}`, tokens: system },
  ].filter(({ tokens }) => tokens > 0);
}
