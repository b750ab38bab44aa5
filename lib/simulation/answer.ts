import { writeProse, writeText } from './answer-text.ts';
import { encodePart, type PromptPart } from './chat-template.ts';
import type { Random } from './random.ts';
import { MARKS, TOKEN_CHARACTERS } from './tokenizer.ts';
import { TokenBuffer, type TokenIds } from './tokens.ts';
import type { MarkedCall } from './tool-marker.ts';

/** What a client is told when a token has come; null for tokens that show nothing (marks, a call's name so far). */
export type Emission =
  | { readonly kind: 'text'; readonly text: string }
  /** A tool call begins: its name is complete. `call` counts from 0. */
  | { readonly kind: 'call'; readonly call: number; readonly name: string }
  | { readonly kind: 'input'; readonly call: number; readonly text: string };

/** A whole answer before it is "generated": `emissions` has one entry per token. */
export type Answer = {
  readonly tokens: TokenIds;
  readonly emissions: readonly (Emission | null)[];
  readonly finish: 'stop' | 'length';
};

export type AnswerWishes = {
  /** The tool calls to make; empty for a text. */
  readonly calls: readonly MarkedCall[];
  /** At least 1. */
  readonly maxTokens: number;
  readonly minTokens: number;
  /** Go on to `maxTokens`. */
  readonly ignoreEos: boolean;
};

/** Where nothing limits an answer it has 40 to 200 tokens, end mark included. */
const NATURAL_TOKENS = { least: 44, most: 200 };

/** Makes up an answer; `random` decides its length and words. */
export function composeAnswer(wishes: AnswerWishes, random: Random): Answer {
  const { maxTokens } = wishes;
  if (wishes.ignoreEos) return textAnswer(writeText(maxTokens * TOKEN_CHARACTERS, random), maxTokens);
  if (wishes.calls.length > 0) return callsAnswer(wishes.calls, maxTokens);
  const { least, most } = NATURAL_TOKENS;
  const natural = Math.max(least + Math.floor(random() * (most - least + 1)), wishes.minTokens + 4);
  return textAnswer(writeProse((natural - 1) * TOKEN_CHARACTERS, random), maxTokens);
}

function textAnswer(text: string, maxTokens: number): Answer {
  const buffer = new TokenBuffer();
  encodePart({ kind: 'text', text }, buffer);
  const emissions = pieces(text).map((piece): Emission => ({ kind: 'text', text: piece }));
  return close(buffer, emissions, maxTokens);
}

function callsAnswer(calls: readonly MarkedCall[], maxTokens: number): Answer {
  const buffer = new TokenBuffer();
  const emissions: (Emission | null)[] = [];
  for (const [call, { name, input }] of calls.entries()) {
    const part: PromptPart = { kind: 'tool_call', name, input };
    encodePart(part, buffer);
    // One entry per token of `encodePart`: the opening mark, the name, its end, the input, the closing mark.
    emissions.push(null, ...pieces(name).map(() => null), { kind: 'call', call, name });
    emissions.push(...pieces(input).map((text): Emission => ({ kind: 'input', call, text })), null);
  }
  return close(buffer, emissions, maxTokens);
}

/** Adds the end mark, or cuts at `maxTokens`. */
function close(buffer: TokenBuffer, emissions: readonly (Emission | null)[], maxTokens: number): Answer {
  if (buffer.length >= maxTokens) {
    return {
      tokens: buffer.toTokenIds().slice(0, maxTokens),
      emissions: emissions.slice(0, maxTokens),
      finish: 'length',
    };
  }
  buffer.push(MARKS.messageEnd);
  return { tokens: buffer.toTokenIds(), emissions: [...emissions, null], finish: 'stop' };
}

function pieces(text: string): string[] {
  const all: string[] = [];
  for (let start = 0; start < text.length; start += TOKEN_CHARACTERS) {
    all.push(text.slice(start, start + TOKEN_CHARACTERS));
  }
  return all;
}
