import { z } from 'zod';
import { textTokens } from '#lib/simulation/tokenizer.ts';
import type { TokenIds } from '#lib/simulation/tokens.ts';
import { checkStreamOptions, samplingFields } from './chat-request.ts';
import { checkModel, type Exchange, readBody } from './exchange.ts';
import { generate, type PlannedGeneration, planGeneration } from './generation.ts';
import { rankProblem, requestedRank } from './rank-header.ts';
import { badRequest, openAiErrorBody } from './refusal.ts';
import { sendAnswer, startEventStream } from './reply.ts';
import { responseId, systemFingerprint } from './response-id.ts';
import { completionUsage, plainUsage, streamedCompletionUsage } from './usage.ts';

/** OpenAI's default, which vLLM keeps on this path. */
const DEFAULT_MAX_TOKENS = 16;

/** One prompt per request: nobody sends a coding agent's turn as a batch. */
const completionBody = z.looseObject({
  ...samplingFields,
  prompt: z.union([z.string(), z.array(z.int().min(0)).min(1)]),
  return_token_ids: z.boolean().nullish(),
});
type CompletionBody = z.infer<typeof completionBody>;

/** `POST /v1/completions`. */
export async function answerCompletion(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, completionBody);
  checkModel(exchange, body.model);
  checkStreamOptions(body);
  const planned = planGeneration(exchange.engine, {
    prompt: promptTokens(body.prompt),
    calls: [],
    maxTokens: body.max_tokens ?? DEFAULT_MAX_TOKENS,
    minTokens: body.min_tokens ?? 0,
    ignoreEos: body.ignore_eos ?? false,
  });
  await (body.stream === true ? streamCompletion(exchange, planned, body) : sendCompletion(exchange, planned, body));
}

function promptTokens(prompt: CompletionBody['prompt']): TokenIds {
  if (typeof prompt !== 'string') return Uint32Array.from(prompt);
  if (prompt === '') throw badRequest('The decoder prompt cannot be empty');
  return textTokens(prompt);
}

async function sendCompletion(exchange: Exchange, planned: PlannedGeneration, body: CompletionBody): Promise<void> {
  const pin = requestedRank(exchange);
  const problem = rankProblem(exchange, pin);
  if (problem !== null) throw badRequest(problem);
  let text = '';
  let finishReason: string | null = null;
  const usage = await generate(exchange, planned, pin, ({ emission, finish }) => {
    if (emission?.kind === 'text') text += emission.text;
    finishReason = finish;
  });
  if (usage === null) return;
  const wantsIds = body.return_token_ids === true;
  sendAnswer(exchange, {
    ...completionHead(exchange),
    choices: [
      {
        index: 0,
        text,
        logprobs: null,
        finish_reason: finishReason,
        stop_reason: null,
        token_ids: wantsIds ? Array.from(planned.answer.tokens) : null,
        prompt_logprobs: null,
        prompt_token_ids: wantsIds ? Array.from(planned.prompt) : null,
        routed_experts: null,
      },
    ],
    service_tier: null,
    system_fingerprint: systemFingerprint(exchange),
    usage: completionUsage(usage, exchange.engine.settings),
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  });
}

async function streamCompletion(exchange: Exchange, planned: PlannedGeneration, body: CompletionBody): Promise<void> {
  const stream = startEventStream(exchange);
  const pin = requestedRank(exchange);
  const problem = rankProblem(exchange, pin);
  if (problem !== null) {
    stream.send(openAiErrorBody('BadRequestError', problem, 400));
    stream.done();
    stream.end();
    return;
  }
  const head = completionHead(exchange);
  const ids = { stop_reason: null, prompt_token_ids: null, token_ids: null };
  const isCounting = body.stream_options?.continuous_usage_stats === true;
  const usage = await generate(exchange, planned, pin, ({ emission, finish, usage: soFar }) => {
    const text = emission?.kind === 'text' ? emission.text : '';
    if (text === '' && finish === null) return;
    stream.send({
      ...head,
      choices: [{ index: 0, text, logprobs: null, finish_reason: finish, ...ids }],
      ...(isCounting ? { usage: plainUsage(soFar) } : {}),
    });
  });
  if (usage === null) return;
  if (body.stream_options?.include_usage === true) {
    stream.send({
      ...head,
      choices: [],
      usage: streamedCompletionUsage(usage, exchange.engine.settings),
      system_fingerprint: systemFingerprint(exchange),
    });
  }
  stream.done();
  stream.end();
}

function completionHead(exchange: Exchange): object {
  return {
    id: responseId(exchange, 'cmpl-'),
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: exchange.engine.settings.servedModelName,
  };
}
