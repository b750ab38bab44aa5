import { type Answer, composeAnswer, type Emission } from '#lib/simulation/answer.ts';
import type { Submission } from '#lib/simulation/fleet.ts';
import { createRandom } from '#lib/simulation/random.ts';
import type { TokenEvent } from '#lib/simulation/sequence.ts';
import type { TokenIds } from '#lib/simulation/tokens.ts';
import type { MarkedCall } from '#lib/simulation/tool-marker.ts';
import type { EngineProcess } from './engine-process.ts';
import type { Exchange } from './exchange.ts';
import { badRequest } from './refusal.ts';
import type { Usage } from './usage.ts';

/** What any of the APIs asks for, in one form. */
export type GenerationRequest = {
  readonly prompt: TokenIds;
  readonly calls: readonly MarkedCall[];
  /** null: as much as the context allows. */
  readonly maxTokens: number | null;
  /** What the API calls it: `max_tokens`. */
  readonly maxTokensName?: string;
  readonly minTokens: number;
  readonly ignoreEos: boolean;
};

/** A request that was checked, with the answer it is going to get. */
export type PlannedGeneration = { readonly prompt: TokenIds; readonly answer: Answer };

export type GeneratedToken = {
  readonly emission: Emission | null;
  /** Set on the last token. */
  readonly finish: 'stop' | 'length' | null;
  readonly usage: Usage;
};

/**
 * Checks the length and makes up the answer. An answer that would not fit is cut at the end of the context (vLLM 0.32;
 * before, it was refused); a prompt that does not fit is refused in vLLM's words.
 */
export function planGeneration(engine: EngineProcess, request: GenerationRequest): PlannedGeneration {
  const { maxModelLen } = engine.settings.profile;
  const { prompt } = request;
  const room = maxModelLen - prompt.length;
  const wanted = request.maxTokens ?? room;
  if (wanted > maxModelLen) {
    const name = request.maxTokensName ?? 'max_tokens';
    const problem = `${name}=${wanted} cannot be greater than max_model_len=${maxModelLen}.`;
    throw badRequest(`${problem} Please request fewer output tokens. (parameter=${name}, value=${wanted})`, name);
  }
  if (room < 1) {
    throw badRequest(
      `This model's maximum context length is ${maxModelLen} tokens. However, your prompt contains at least ` +
        `${maxModelLen + 1} input tokens, which exceeds this limit even without any output tokens. Please reduce the ` +
        `length of the input prompt. (parameter=input_tokens, value=${maxModelLen + 1})`,
      'input_tokens',
    );
  }
  // The same prompt gets the same answer, as at temperature 0, whatever else is going on.
  const random = createRandom(hashTokens(prompt, engine.settings.seed));
  return { prompt, answer: composeAnswer({ ...request, maxTokens: Math.min(wanted, room) }, random) };
}

/**
 * Runs a planned request on a replica. `onToken` is called for every token; the promise gives the final usage, or null
 * when the client left first, which aborts the request in the replica.
 */
export function generate(
  exchange: Exchange,
  planned: PlannedGeneration,
  pin: number | null,
  onToken: (token: GeneratedToken) => void,
): Promise<Usage | null> {
  const { engine, response } = exchange;
  const { prompt, answer } = planned;
  const arrivedAt = engine.clock.now();
  return new Promise((resolve) => {
    let submission: Submission | null = null;
    let hasLeft = false;
    const leave = () => {
      hasLeft = true;
      submission?.abort();
      resolve(null);
    };
    const take = (event: TokenEvent) => {
      const usage = {
        promptTokens: prompt.length,
        cachedTokens: event.cachedTokens,
        completionTokens: event.index + 1,
      };
      const seconds = (event.at - arrivedAt) / engine.settings.speed / 1000;
      const replica = submission?.replica ?? 0;
      if (event.index === 0) engine.firstToken[replica]?.observe(seconds);
      onToken({ emission: answer.emissions[event.index] ?? null, finish: event.finish, usage });
      if (event.finish === null) return;
      engine.requestTime[replica]?.observe(seconds);
      response.off('close', leave);
      resolve(usage);
    };
    const submit = () => {
      if (hasLeft) return;
      submission = engine.fleet.submit({
        prompt,
        output: answer.tokens,
        finish: answer.finish,
        onToken: take,
        pin,
        apiServer: exchange.apiServer,
      });
    };
    if (exchange.fault?.kind === 'slow') engine.clock.at(arrivedAt + exchange.fault.ms * engine.settings.speed, submit);
    else submit();
    response.once('close', leave);
    if (response.destroyed) leave();
  });
}

function hashTokens(tokens: TokenIds, seed: number): number {
  let hash = seed;
  for (let index = 0; index < tokens.length; index++) hash = Math.imul(hash ^ (tokens[index] ?? 0), 0x01000193) + 7;
  return hash ^ (hash >>> 15);
}
