import { z } from 'zod';
import { chatMessages } from './chat-messages.ts';
import { chatToolChoice, offerTools } from './offered-tools.ts';
import { refusalReason } from './refusal-reason.ts';
import { type ResponsesRequest, responsesRequest, type TextFormat } from './request-schema.ts';
import { echoOf, type ResponsePlan } from './response-plan.ts';

type Translation =
  | { readonly ok: true; readonly chat: object; readonly plan: ResponsePlan }
  | { readonly ok: false; readonly reason: string };

type Offer = NonNullable<ReturnType<typeof offerTools>>;
type Fields = Readonly<Record<string, unknown>>;

const anyObject = z.record(z.string(), z.unknown());

/** Fields with the same name and meaning in a chat completion, for OpenAI or for vLLM. */
const SHARED_FIELDS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'logit_bias',
  'seed',
  'stop',
  'ignore_eos',
  'skip_special_tokens',
  'include_stop_str_in_output',
  'structured_outputs',
  'chat_template_kwargs',
  'mm_processor_kwargs',
  'vllm_xargs',
  'kv_transfer_params',
  'priority',
  'cache_salt',
  'user',
  'metadata',
  'prompt_cache_key',
  'safety_identifier',
] as const;

/**
 * A `/v1/responses` request (parsed JSON) as a `/v1/chat/completions` request with the same meaning, and the plan that
 * the answer is translated back with. Only what needs no state in the engine can be translated; for all else there is
 * the reason, in one sentence.
 */
export function translatable(request: unknown): Translation {
  const body = anyObject.safeParse(request);
  if (!body.success) return { ok: false, reason: 'The body is not a JSON object.' };
  const reason = refusalReason(body.data);
  if (reason !== null) return { ok: false, reason };
  const parsed = responsesRequest.safeParse(body.data);
  if (!parsed.success) return { ok: false, reason: `It has a form that is not known here${placeOf(parsed.error)}.` };
  const offer = offerTools(parsed.data.tools ?? []);
  if (offer === null) return { ok: false, reason: 'Two of its tools would have the same name.' };
  if (offer.chat.length === 0 && isCallDemanded(parsed.data)) {
    return { ok: false, reason: 'It demands a tool call, but offers no tool that chat knows.' };
  }
  const isStream = parsed.data.stream === true;
  return {
    ok: true,
    chat: { ...chatRequest(parsed.data, offer), ...sharedFields(body.data), ...streamFields(isStream) },
    plan: { isStream, model: parsed.data.model, offered: offer.offered, echo: echoOf(body.data) },
  };
}

function isCallDemanded({ tool_choice }: ResponsesRequest): boolean {
  return tool_choice === 'required' || (typeof tool_choice === 'object' && tool_choice !== null);
}

function chatRequest(request: ResponsesRequest, offer: Offer): object {
  const format = responseFormat(request.text?.format);
  const { max_output_tokens: limit, reasoning, text } = request;
  return {
    model: request.model,
    messages: chatMessages(request),
    ...(offer.chat.length > 0 ? toolFields(request, offer) : {}),
    ...(format === null ? {} : { response_format: format }),
    ...(typeof limit === 'number' ? { max_completion_tokens: limit } : {}),
    ...(reasoning?.effort ? { reasoning_effort: reasoning.effort } : {}),
    ...(text?.verbosity ? { verbosity: text.verbosity } : {}),
  };
}

/** vLLM refuses a choice of tools where there are none. */
function toolFields({ tool_choice, parallel_tool_calls }: ResponsesRequest, { chat, offered }: Offer): object {
  return {
    tools: chat,
    ...(tool_choice ? { tool_choice: chatToolChoice(tool_choice, offered) } : {}),
    ...(typeof parallel_tool_calls === 'boolean' ? { parallel_tool_calls } : {}),
  };
}

function responseFormat(format: TextFormat | null | undefined): object | null {
  if (!format || format.type === 'text') return null;
  if (format.type === 'json_object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description ? { description } : {}),
      schema,
      ...(typeof strict === 'boolean' ? { strict } : {}),
    },
  };
}

function sharedFields(body: Fields): object {
  return Object.fromEntries(
    SHARED_FIELDS.flatMap((name) => {
      const value = body[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** Usage is asked for in any case: the last event of a response carries it. */
function streamFields(isStream: boolean): object {
  return isStream ? { stream: true, stream_options: { include_usage: true } } : { stream: false };
}

function placeOf(error: z.ZodError): string {
  const path = error.issues[0]?.path.join('.') ?? '';
  return path === '' ? '' : ` (${path})`;
}
