import { arrayElements, type Span } from '#lib/json/top-level.ts';
import type { ApiKind } from '#lib/routing/types.ts';
import { ContentHasher } from './content-hash.ts';
import { follow, type Hash, hexOf } from './hash.ts';
import type { MessageChain } from './message-chain.ts';
import { billingLine } from './prefix-hygiene.ts';

/** Where the parts of a request's prompt stand in its body; undefined where it has none. */
export type PromptSpans = {
  readonly messages: Span | undefined;
  /** `system` of /v1/messages, `instructions` of /v1/responses. */
  readonly system: Span | undefined;
  readonly tools: Span | undefined;
};

/** The parts of a prompt in front of its messages, hashed; null where there is none. */
export type PromptMarks = {
  readonly system: string | null;
  readonly tools: string | null;
  /** Claude Code's billing line, which `system` leaves out. */
  readonly firstBlock: string | null;
};

/** What a request's prompt has in place of the prompt of the turn before. */
export type PromptChange = {
  /**
   * The place in the request's list, from 0, of the first message that is not what it was; null where the messages
   * only grew.
   */
  readonly changedAt: number | null;
  /** Messages without the system's, then and now. */
  readonly messagesBefore: number;
  readonly messagesNow: number;
  readonly system: boolean;
  readonly tools: boolean;
  readonly firstBlock: boolean;
  /** System messages between the others that were not there before. */
  readonly systemEntriesAdded: number;
};

/** Hashes what stands in front of the messages. `chain` is that of the same request. */
export function readMarks(bytes: Uint8Array, spans: PromptSpans, api: ApiKind, chain: MessageChain): PromptMarks {
  const contents = new ContentHasher(bytes);
  const line = billingLine(bytes, spans, api);
  return {
    system: joined(spans.system === undefined ? null : contents.content(spans.system), chain.systemPrompt),
    tools: spans.tools === undefined ? null : hexOf(toolsHash(bytes, spans.tools, contents)),
    firstBlock: line === null ? null : hexOf(contents.raw(line)),
  };
}

function toolsHash(bytes: Uint8Array, span: Span, contents: ContentHasher): Hash {
  const all = { a: 0, b: 0 };
  for (const tool of arrayElements(bytes, span)) follow(all, contents.object(tool));
  return all;
}

function joined(first: Hash | null, second: Hash | null): string | null {
  if (first === null || second === null)
    return first === null ? (second === null ? null : hexOf(second)) : hexOf(first);
  const both = { ...first };
  follow(both, second);
  return hexOf(both);
}
