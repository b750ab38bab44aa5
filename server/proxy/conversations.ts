import { type ConversationIndex, createConversationIndex } from '#lib/conversations/conversation-index.ts';
import type { ChainRequest } from '#lib/conversations/conversation-memory.ts';
import { readChain } from '#lib/conversations/message-chain.ts';
import { type PromptChange, type PromptSpans, readMarks } from '#lib/conversations/prompt-change.ts';
import type { ApiKind, SessionKey } from '#lib/routing/types.ts';

/** A turn as it is asked about. `scope`: model and client key, so that no client can meet another's conversation. */
export type AskedTurn = {
  readonly body: Buffer;
  readonly api: ApiKind;
  readonly spans: PromptSpans;
  readonly scope: string;
  /** The key from an id of the client's; null where it sent none. */
  readonly id: SessionKey | null;
  /** Whether the router knows a home for `id` already. */
  readonly isKnown: boolean;
  readonly now: number;
};

/** One turn and the conversation it belongs to. */
export type ConversationTurn = {
  readonly key: SessionKey | null;
  /** Another conversation whose beginning a new one shares; null where none is known. */
  readonly relativeOf: string | null;
  /** To be called once, when the turn has its place. */
  placed(): void;
  /**
   * To be called once, when it is over. `answered`: the client has the whole answer. Where `compare` is set, says what is
   * different from the request that was compared last; null where it is not known.
   */
  ended(answered: boolean, compare: boolean): PromptChange | null;
};

export type Conversations = {
  begin(turn: AskedTurn): ConversationTurn;
};

/** A first turn sent again after its answer (a script, a benchmark) goes where its prompt is cached. */
const MAX_OPENINGS = 10_000;

/**
 * Finds conversations by their messages where a client sends no id, and the relatives of new ones. Reading the messages
 * costs some tenths of a millisecond, so of a conversation with an id they are read on its first turn and where asked.
 */
export function createConversations(index: ConversationIndex = createConversationIndex()): Conversations {
  const openings = new Map<string, string>();

  const identify = (chain: ChainRequest): { hash: string; relativeOf: string | null } => {
    const found = index.find(chain);
    const opening = openingOf(chain);
    const before = opening === null || found.kind === 'continues' ? undefined : openings.get(opening);
    const hash = before ?? found.conversation;
    if (opening !== null) {
      openings.delete(opening);
      openings.set(opening, hash);
      const oldest = openings.size > MAX_OPENINGS ? openings.keys().next().value : undefined;
      if (oldest !== undefined) openings.delete(oldest);
    }
    return { hash, relativeOf: before === undefined ? (found.relative?.conversation ?? null) : null };
  };

  return {
    begin(turn) {
      const chain = memoized(() => chainOf(turn));
      const { id, isKnown } = turn;
      const newlyNamed = id !== null && !isKnown ? chain() : null;
      const unnamed = id === null ? chain() : null;
      const identity = unnamed === null ? null : identify(unnamed);
      const key = id ?? (identity === null ? null : { hash: identity.hash, source: 'message_chain' });
      const relative = id !== null && newlyNamed !== null ? index.relativeOf(newlyNamed, id.hash) : null;
      let isRemembered = false;
      let change: PromptChange | null = null;
      const remember = (): PromptChange | null => {
        const request = chain();
        if (request === null || key === null) return null;
        isRemembered = true;
        return index.remember(request, key.hash);
      };
      return {
        key,
        relativeOf: identity?.relativeOf ?? relative?.conversation ?? null,
        placed() {
          if (unnamed !== null || newlyNamed !== null) change = remember();
        },
        ended(answered, compare) {
          if (!isRemembered && compare) change = remember();
          if (isRemembered && key !== null) index.ended(key.hash, answered);
          return change;
        },
      };
    },
  };
}

function chainOf({ body, api, spans, scope, now }: AskedTurn): ChainRequest | null {
  if (spans.messages === undefined) return null;
  const chain = readChain(body, spans.messages, api);
  if (chain === null || chain.messages.length === 0) return null;
  return { scope, chain, marks: readMarks(body, spans, api, chain), now };
}

/** Names a request of one message, with all that stands in front of it; null for a longer one. */
function openingOf({ scope, chain, marks }: ChainRequest): string | null {
  const [only, ...rest] = chain.messages;
  if (only === undefined || rest.length > 0) return null;
  return [scope, only.a, only.b, marks?.system, marks?.tools].join(' ');
}

function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
