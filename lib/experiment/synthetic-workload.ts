import { createRandom, type Random } from '#lib/simulation/random.ts';
import { hashText } from './hash-text.ts';
import type { SessionScript, TurnScript, Workload } from './session-script.ts';

/** Both ends included; a number between them is drawn evenly. */
export type Range = { readonly least: number; readonly most: number };

/** The size and rhythm of synthetic coding-agent conversations. Tokens are whole numbers of at least 1. */
export type WorkloadNumbers = {
  /** System prompt and tools, the same in all conversations. */
  readonly systemTokens: number;
  readonly firstMessageTokens: Range;
  readonly turns: number;
  /** New input of each turn after the first. */
  readonly turnTokens: Range;
  readonly outputTokens: Range;
  readonly thinkSeconds: Range;
  /** Each conversation calls this many subagents at once, before one of its later turns; 0 for none. */
  readonly subagents: number;
  readonly subagentTurns: number;
};

/** Conversations drawn from `numbers`. Each is drawn with a generator of its own, so that no order of use changes it. */
export function createSyntheticWorkload(numbers: WorkloadNumbers, seed: number): Workload {
  return {
    session: (index) => {
      const key = `${seed}.${index}`;
      return mainSession(key, numbers, createRandom(hashText(key)));
    },
  };
}

function mainSession(key: string, numbers: WorkloadNumbers, random: Random): SessionScript {
  const burstTurn = 1 + Math.floor(random() * Math.max(1, numbers.turns - 1));
  const turns = Array.from({ length: numbers.turns }, (_, turn): TurnScript => {
    const subagents =
      turn === burstTurn ? Array.from({ length: numbers.subagents }, (_, n) => subagent(key, n, numbers, random)) : [];
    return { ...plainTurn({ key, turn, system: 'system' }, numbers, random), subagents };
  });
  return { key, turns };
}

/** Subagents share a system prompt of their own among each other and nothing with the conversation that called them. */
function subagent(parent: string, n: number, numbers: WorkloadNumbers, random: Random): SessionScript {
  const key = `${parent}/agent-${n}`;
  const turns = Array.from({ length: numbers.subagentTurns }, (_, turn) =>
    plainTurn({ key, turn, system: 'subagent-system' }, numbers, random),
  );
  return { key, turns };
}

type Place = { readonly key: string; readonly turn: number; readonly system: string };

function plainTurn({ key, turn, system }: Place, numbers: WorkloadNumbers, random: Random): TurnScript {
  const isFirst = turn === 0;
  const message = {
    content: `${key}:${turn}`,
    tokens: drawWhole(isFirst ? numbers.firstMessageTokens : numbers.turnTokens, random),
  };
  return {
    thinkMs: isFirst ? 0 : draw(numbers.thinkSeconds, random) * 1000,
    keepTokens: null,
    input: isFirst ? [{ content: system, tokens: numbers.systemTokens }, message] : [message],
    outputTokens: drawWhole(numbers.outputTokens, random),
    subagents: [],
  };
}

function draw({ least, most }: Range, random: Random): number {
  return least + (most - least) * random();
}

function drawWhole({ least, most }: Range, random: Random): number {
  return least + Math.floor((most - least + 1) * random());
}
