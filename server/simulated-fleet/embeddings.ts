import { z } from 'zod';
import { textTokens } from '#lib/simulation/tokenizer.ts';
import { checkModel, type Exchange, readBody } from './exchange.ts';
import { sendJson } from './reply.ts';
import { randomId } from './response-id.ts';

const embeddingBody = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
});

/** `POST /v1/embeddings`: four numbers a text, enough to see that a request went through. No replica is involved. */
export async function answerEmbeddings(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, embeddingBody);
  checkModel(exchange, body.model);
  const texts = typeof body.input === 'string' ? [body.input] : body.input;
  const tokens = texts.reduce((sum, text) => sum + textTokens(text).length, 0);
  sendJson(exchange.response, 200, {
    id: `embd-${randomId()}`,
    object: 'list',
    created: Math.floor(Date.now() / 1000),
    model: exchange.engine.settings.servedModelName,
    data: texts.map((text, index) => ({ index, object: 'embedding', embedding: embed(text) })),
    usage: { prompt_tokens: tokens, total_tokens: tokens, completion_tokens: 0, prompt_tokens_details: null },
  });
}

function embed(text: string): number[] {
  const sums = [0, 0, 0, 0];
  for (const [index, token] of textTokens(text).entries()) sums[index % 4] = ((sums[index % 4] ?? 0) + token) % 997;
  return sums.map((sum) => sum / 997);
}
