import type { Segment, SessionScript, TurnScript } from '#lib/experiment/session-script.ts';
import { charactersOf, writeTokens } from './text.ts';

export type ChatMessage = { readonly role: 'user' | 'assistant'; readonly content: string };

/** A request of a conversation as text. */
export type LiveTurn = {
  /** 0 for the first. */
  readonly turn: number;
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  /** Of the prompt, as planned: a tokenizer may see it otherwise, and the chat template adds a few. */
  readonly promptTokens: number;
};

/** A piece of the history with its planned length. */
type Piece = ChatMessage & { readonly tokens: number };

/** Models refuse an empty answer in the history. */
const NO_ANSWER = '-';

/**
 * A session script as a client plays it: texts for its segments (made from `salt` and their content), the model's own
 * answers in between.
 */
export class LiveConversation {
  readonly #script: SessionScript;
  readonly #salt: string;
  #system = '';
  #systemTokens = 0;
  #pieces: readonly Piece[] = [];
  #turn = 0;
  #outputTokens = 0;

  constructor(script: SessionScript, salt: string) {
    this.#script = script;
    this.#salt = salt;
  }

  /** The script of the next turn; null after the last. */
  get upcoming(): TurnScript | null {
    return this.#script.turns[this.#turn] ?? null;
  }

  /** The next turn; its answer must be given to `answered` before the one after. */
  begin(): LiveTurn {
    const script = this.upcoming;
    if (script === null) throw new RangeError(`conversation ${this.#script.key} has no further turn`);
    const turn = this.#turn;
    this.#turn += 1;
    this.#outputTokens = script.outputTokens;
    if (script.keepTokens !== null) this.#pieces = keep(this.#pieces, script.keepTokens - this.#systemTokens);
    this.#say(turn === 0 ? this.#takeSystem(script.input) : script.input);
    return {
      turn,
      system: this.#system,
      messages: this.#pieces.map(({ role, content }) => ({ role, content })),
      maxTokens: script.outputTokens,
      promptTokens: this.#systemTokens + this.#pieces.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  answered(text: string): void {
    const content = text === '' ? NO_ANSWER : text;
    this.#pieces = [...this.#pieces, { role: 'assistant', content, tokens: this.#outputTokens }];
  }

  /** All but the last stretch of the first prompt is system prompt and tools. */
  #takeSystem(input: readonly Segment[]): readonly Segment[] {
    const system = input.slice(0, -1);
    this.#system = this.#text(system);
    this.#systemTokens = tokensOf(system);
    return input.slice(-1);
  }

  #say(input: readonly Segment[]): void {
    const last = this.#pieces.at(-1);
    const said = { content: this.#text(input), tokens: tokensOf(input) };
    if (last?.role !== 'user') {
      this.#pieces = [...this.#pieces, { role: 'user', ...said }];
      return;
    }
    // A history that was cut inside a message goes on in that message: roles alternate.
    const joined = { content: last.content + said.content, tokens: last.tokens + said.tokens };
    this.#pieces = [...this.#pieces.slice(0, -1), { role: 'user', ...joined }];
  }

  #text(input: readonly Segment[]): string {
    return input.map(({ content, tokens }) => writeTokens(`${this.#salt}:${content}`, tokens)).join('');
  }
}

function tokensOf(input: readonly Segment[]): number {
  return input.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The beginning of the history that is `tokens` long as planned, the last piece cut where it must be. */
function keep(pieces: readonly Piece[], tokens: number): readonly Piece[] {
  const kept: Piece[] = [];
  let left = tokens;
  for (const piece of pieces) {
    if (left <= 0) break;
    if (piece.tokens <= left) kept.push(piece);
    else kept.push({ ...piece, content: piece.content.slice(0, charactersOf(left)) || NO_ANSWER, tokens: left });
    left -= piece.tokens;
  }
  return kept;
}
