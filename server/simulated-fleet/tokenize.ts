import { z } from 'zod';
import { decodeTokens, textTokens } from '#lib/simulation/tokenizer.ts';
import { chatBody, readChat } from './chat-request.ts';
import { checkModel, type Exchange, readBody } from './exchange.ts';
import { sendJson } from './reply.ts';

const { messages, tools } = chatBody.shape;
const tokenizeBody = z
  .looseObject({ model: z.string().nullish(), prompt: z.string().optional(), messages: messages.optional(), tools })
  .refine((body) => body.prompt !== undefined || body.messages !== undefined, { message: 'Field required' });
const detokenizeBody = z.looseObject({ model: z.string().nullish(), tokens: z.array(z.int().min(0)) });

/** `POST /tokenize`, of a text or of a conversation. */
export async function answerTokenize(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, tokenizeBody);
  checkModel(exchange, body.model);
  const tokens = body.messages
    ? readChat({ messages: body.messages, tools: body.tools, tool_choice: 'auto' }).prompt
    : textTokens(body.prompt ?? '');
  sendJson(exchange.response, 200, {
    count: tokens.length,
    max_model_len: exchange.engine.settings.profile.maxModelLen,
    tokens: Array.from(tokens),
    token_strs: null,
  });
}

/** `POST /detokenize`. */
export async function answerDetokenize(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, detokenizeBody);
  checkModel(exchange, body.model);
  sendJson(exchange.response, 200, { prompt: decodeTokens(body.tokens) });
}
