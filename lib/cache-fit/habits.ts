import { MovingAverage, RecentSamples } from './average.ts';
import { type Conversation, isFirst } from './conversation.ts';
import { Pauses } from './pauses.ts';
import type { Ticket, TurnUsage } from './types.ts';

/** English text and code, about. */
const UNKNOWN_BYTES_PER_TOKEN = 4;
/** About what a 4B model on a small card does. */
const UNKNOWN_MS_PER_TOKEN = 0.25;
const UNKNOWN_DECODE_MS = 5000;
const UNKNOWN_TURN_MS = 10_000;
/** Of a shorter prompt's body most is not text: JSON, parameters. */
const LEAST_PROMPT = 256;
/** A prompt with fewer computed tokens says little about the speed. */
const LEAST_COMPUTED = 512;

/** What is learned of a model's conversations and of its engine's speed. Each value is a guess until it is measured. */
export class Habits {
  readonly #pauses = new Map<string, Pauses>();
  readonly #bytesPerToken = new MovingAverage(50);
  readonly #answerTokens = new MovingAverage(50);
  readonly #growth = new MovingAverage(50);
  readonly #turnMs = new MovingAverage(30);
  readonly #shared = new RecentSamples(32);
  readonly #msPerComputed = new RecentSamples(40);
  readonly #msPerOutput = new RecentSamples(40);

  pauses(kind: string): Pauses {
    const known = this.#pauses.get(kind) ?? new Pauses();
    this.#pauses.set(kind, known);
    return known;
  }

  promptTokens(bodyBytes: number, { bytesPerToken }: Conversation): number {
    return bodyBytes / (bytesPerToken ?? this.#bytesPerToken.value ?? UNKNOWN_BYTES_PER_TOKEN);
  }

  get answerTokens(): number {
    return this.#answerTokens.value ?? 0;
  }

  /** Tokens that a conversation gains from turn to turn. */
  get growth(): number {
    return this.#growth.value ?? 0;
  }

  /** Tokens at the beginning of a new conversation that others have as well. */
  get shared(): number {
    return this.#shared.quantile(0.5) ?? 0;
  }

  /** Time to compute one prompt token; a low quantile, as samples may contain a wait. */
  get msPerToken(): number {
    return this.#msPerComputed.quantile(0.2) ?? UNKNOWN_MS_PER_TOKEN;
  }

  /** How long an answer of usual length takes where other prompts hold it up little. */
  get decodeMs(): number {
    const perToken = this.#msPerOutput.quantile(0.3);
    return perToken === null ? UNKNOWN_DECODE_MS : perToken * this.answerTokens;
  }

  /** From sending a turn to the end of its answer. */
  get turnMs(): number {
    return this.#turnMs.value ?? UNKNOWN_TURN_MS;
  }

  /** Learns from a turn that ran to its end at `now`. */
  learn({ turn, conversation, sentAt, answeringAt, wasAlone }: Ticket, usage: TurnUsage, now: number): void {
    const { promptTokens, cachedTokens, completionTokens } = usage;
    if (promptTokens >= LEAST_PROMPT) {
      conversation.bytesPerToken = turn.bodyBytes / promptTokens;
      this.#bytesPerToken.add(conversation.bytesPerToken);
    }
    this.#answerTokens.add(completionTokens);
    this.#turnMs.add(now - sentAt);
    const gained = promptTokens + completionTokens - (conversation.lastTotal ?? Number.POSITIVE_INFINITY);
    if (gained > 0) this.#growth.add(gained);
    if (isFirst(conversation) && cachedTokens !== null && cachedTokens > 0) this.#shared.add(cachedTokens);
    if (answeringAt === null) return;
    if (completionTokens > 1) this.#msPerOutput.add((now - answeringAt) / completionTokens);
    const computed = promptTokens - (cachedTokens ?? promptTokens);
    if (wasAlone && computed >= LEAST_COMPUTED) this.#msPerComputed.add((answeringAt - sentAt) / computed);
  }
}
