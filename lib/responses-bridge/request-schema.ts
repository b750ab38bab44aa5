import { z } from 'zod';

const textPart = z.object({ type: z.enum(['input_text', 'output_text']), text: z.string() });
const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });
const imagePart = z.object({ type: z.literal('input_image'), image_url: z.string(), detail: z.string().nullish() });
const part = z.discriminatedUnion('type', [textPart, refusalPart, imagePart]);
export type InputPart = z.infer<typeof part>;

const content = z.union([z.string(), z.array(part)]);
export type InputContent = z.infer<typeof content>;

const message = z.object({
  // Clients leave it out in the short form of a message.
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
});
const reasoning = z.object({
  type: z.literal('reasoning'),
  content: z.array(z.object({ text: z.string() })).nullish(),
});
const functionCall = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: z.string().nullish(),
  arguments: z.string(),
});
const customCall = z.object({
  type: z.literal('custom_tool_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: z.string().nullish(),
  input: z.string(),
});
const callOutput = z.object({
  type: z.enum(['function_call_output', 'custom_tool_call_output']),
  call_id: z.string(),
  output: content,
});
const item = z.discriminatedUnion('type', [message, reasoning, functionCall, customCall, callOutput]);
export type InputItem = z.infer<typeof item>;

const functionTool = z.object({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
  strict: z.boolean().nullish(),
});
const customTool = z.object({
  type: z.literal('custom'),
  name: z.string(),
  description: z.string().nullish(),
});
const plainTool = z.discriminatedUnion('type', [functionTool, customTool]);
export type PlainTool = z.infer<typeof plainTool>;

const namespaceTool = z.object({ type: z.literal('namespace'), name: z.string(), tools: z.array(plainTool) });
/** Offered by Codex in every request; vLLM has no such tool and leaves it out of the prompt, and so do we. */
const webSearchTool = z.object({ type: z.literal('web_search') });
const tool = z.discriminatedUnion('type', [functionTool, customTool, namespaceTool, webSearchTool]);
export type InputTool = z.infer<typeof tool>;

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.enum(['function', 'custom']), name: z.string(), namespace: z.string().nullish() }),
]);
export type InputToolChoice = z.infer<typeof toolChoice>;

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.string().nullish(),
    schema: z.unknown(),
    strict: z.boolean().nullish(),
  }),
]);
export type TextFormat = z.infer<typeof format>;

/**
 * A `/v1/responses` request as far as a chat completion can answer it (openai 6, vLLM 0.28). What else there may be is
 * turned down with a reason by `refusalReason`, or has no meaning for the engine.
 */
export const responsesRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(item)]),
  instructions: z.string().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.number().nullish(),
  reasoning: z.object({ effort: z.string().nullish() }).nullish(),
  text: z.object({ format: format.nullish(), verbosity: z.string().nullish() }).nullish(),
  stream: z.boolean().nullish(),
});
export type ResponsesRequest = z.infer<typeof responsesRequest>;
