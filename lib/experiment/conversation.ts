import type { TokenIds } from '#lib/simulation/tokens.ts';
import { hashText } from './hash-text.ts';
import type { Segment, SessionScript, TurnScript } from './session-script.ts';

/** A turn ready to be sent: its prompt, and the answer the engine will give. */
export type RenderedTurn = { readonly prompt: TokenIds; readonly output: TokenIds };

/** A session's history in token ids; there is no text. The same script gives the same ids. */
export class Conversation {
  private readonly script: SessionScript;
  private history: TokenIds = new Uint32Array(8192);
  private length = 0;
  private nextTurn = 0;

  constructor(script: SessionScript) {
    this.script = script;
  }

  /** Index of the turn that `begin` will give. */
  get turn(): number {
    return this.nextTurn;
  }

  /** The script of the next turn; null after the last. */
  get upcoming(): TurnScript | null {
    return this.script.turns[this.nextTurn] ?? null;
  }

  /** The next turn with the whole history before it; its answer is part of the history from now on. */
  begin(): RenderedTurn {
    const turn = this.upcoming;
    if (turn === null) throw new RangeError(`conversation ${this.script.key} has no further turn`);
    if (turn.keepTokens !== null) this.length = Math.min(this.length, turn.keepTokens);
    for (const segment of turn.input) this.append(segment);
    const prompt = this.history.slice(0, this.length);
    this.append({ content: `${this.script.key}:${this.nextTurn}:answer`, tokens: turn.outputTokens });
    this.nextTurn += 1;
    return { prompt, output: this.history.slice(prompt.length, this.length) };
  }

  private append({ content, tokens }: Segment): void {
    const end = this.length + tokens;
    if (end > this.history.length) {
      const larger = new Uint32Array(Math.max(end, 2 * this.history.length));
      larger.set(this.history);
      this.history = larger;
    }
    const base = hashText(content);
    for (let position = 0; position < tokens; position++) {
      let id = Math.imul(base ^ position, 0x9e3779b1);
      id = Math.imul(id ^ (id >>> 15), 0x85ebca6b);
      this.history[this.length + position] = (id ^ (id >>> 13) ^ base) >>> 0;
    }
    this.length = end;
  }
}
