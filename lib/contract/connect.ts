import * as z from 'zod';

/**
 * How a version of a client keeps its own prompts from being found in a cache. `line_per_request`: the first line of the
 * system prompt is another one in each request; `line_per_conversation`: in each conversation; `system_entries`: system
 * messages between the others, which some engines move to the front.
 */
export const prefixTrouble = z.enum(['line_per_request', 'line_per_conversation', 'system_entries']);
export type PrefixTrouble = z.infer<typeof prefixTrouble>;

/** `GET /api/models/{name}/connect`: what a client of this model has to know, and which clients came lately. */
export const connectFacts = z.object({
  model: z.string(),
  /** The longest context of one request, in tokens, by the engine's own `/v1/models`; null where it does not say. */
  max_model_len: z.number().nullable(),
  /** A request without a valid API key is refused. */
  key_required: z.boolean(),
  /** Background requests of Claude Code for a Claude model reach this one, by one of its aliases. */
  takes_claude_names: z.boolean(),
  /** The router pins the first line that `line_per_request` and `line_per_conversation` are about. */
  pins_billing_line: z.boolean(),
  /** The clients of its last requests, the latest first. */
  clients: z.array(
    z.object({
      client: z.string(),
      last_seen: z.string(),
      /** What is known of this version, whether or not it matters here. */
      troubles: z.array(prefixTrouble),
      /** Of its last turns, how many had to be read anew because the client had changed the beginning of the prompt. */
      changed_prefix: z.number(),
      turns: z.number(),
    }),
  ),
});
export type ConnectFacts = z.infer<typeof connectFacts>;
