import type { OfferedTools } from './offered-tools.ts';

/** What is kept of a translated request until its answer is there. */
export type ResponsePlan = {
  /** Whether the client wants a stream of events. */
  readonly isStream: boolean;
  /** The request's model; the engine's own spelling takes its place as soon as it is known. */
  readonly model: string;
  readonly offered: OfferedTools;
  /** What a response object says of its request, in the API's names. */
  readonly echo: Readonly<Record<string, unknown>>;
};

/** The name of an answer, which its items' ids are made from, and when it was asked for (ms epoch). */
export type ResponseIdentity = { readonly responseId: string; readonly createdAt: number };

type ResponseState = {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly model: string;
  readonly output: readonly object[];
  readonly usage: object | null;
  readonly incompleteReason?: 'max_output_tokens' | 'content_filter';
  readonly error?: { readonly code: string; readonly message: string };
};

/** The fields of a request that its response repeats, with the API's defaults (openai 6, `Response`). */
export function echoOf(body: Readonly<Record<string, unknown>>): ResponsePlan['echo'] {
  return {
    instructions: body.instructions ?? null,
    metadata: body.metadata ?? null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    temperature: body.temperature ?? null,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? null,
    background: false,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    previous_response_id: null,
    prompt: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: body.reasoning ?? null,
    service_tier: body.service_tier ?? 'auto',
    store: false,
    text: body.text ?? null,
    top_logprobs: null,
    truncation: 'disabled',
    user: body.user ?? null,
  };
}

/** The response object, in any of its states. */
export function responseObject(plan: ResponsePlan, identity: ResponseIdentity, state: ResponseState): object {
  return {
    id: identity.responseId,
    object: 'response',
    created_at: Math.floor(identity.createdAt / 1000),
    status: state.status,
    error: state.error ?? null,
    incomplete_details: state.incompleteReason === undefined ? null : { reason: state.incompleteReason },
    model: state.model,
    output: state.output,
    ...plan.echo,
    usage: state.usage,
  };
}
