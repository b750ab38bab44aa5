import { formatSeconds } from '#lib/format/duration.ts';
import { formatCompact } from '#lib/format/tokens.ts';
import type { DecisionKind } from '#lib/routing/types.ts';

/** Why a turn missed the cache: a code with its values, which any language can say. */
export type Miss = { readonly code: MissCode; readonly values: Readonly<Record<string, string | number>> };
type MissCode = keyof typeof SENTENCES;

type Values = Miss['values'];

/** A value that is not there shows as a gap. Lengths of time are in seconds, contexts in tokens. */
const text = (values: Values, name: string): string => String(values[name] ?? '');
const tokens = (values: Values, name: string): string => formatCompact(Number(values[name] ?? 0));

const WHY_ELSEWHERE: Readonly<Record<DecisionKind, string>> = {
  placed: ', where the conversation was placed anew',
  sticky: ', its home by now',
  spilled: ', as its home was at the spill threshold',
  failed_over: ', as its home was down',
  client_pinned: ', which the client asked for',
  balanced: ', as the request named no session',
  unrouted: ', as affinity was off',
};

const SENTENCES = {
  not_reported: () => 'The engine did not report how much of this prompt came from its cache.',
  elsewhere: (values: Values) => {
    const why = Object.entries(WHY_ELSEWHERE).find(([decision]) => decision === values.decision)?.[1] ?? '';
    const here = `This turn was served by replica ${text(values, 'replica')}${why}`;
    return `${here}; its prefix is in the cache of replica ${text(values, 'before')}.`;
  },
  restarted: () => 'The engine was restarted since the turn before, and its cache began empty.',
  engine_chose: () =>
    'The engine chose the replica itself, and may have sent this turn to another one than the turn before.',
  first_block: () =>
    'The first block of the system prompt (x-anthropic-billing-header) is another one than a turn before, so nothing behind it could be reused; the router can pin it for this model.',
  system_prompt: () => 'The client changed its system prompt, which stands in front of all messages.',
  tools: () => 'The client changed its tools, which stand in front of all messages.',
  system_message: () =>
    'The client added a system message between the others; an engine that moves it to the front of the prompt reads everything behind it anew.',
  shortened: (values: Values) => {
    const messages = `${text(values, 'before')} messages became ${text(values, 'after')}`;
    const shorter = `${messages}, with other ones from message ${text(values, 'message')} on`;
    return `The client shortened the conversation (a compaction or a step back): ${shorter}.`;
  },
  first_message: () => 'The client rewrote the first message, so nothing behind it could be reused.',
  rewritten: (values: Values) =>
    `The client changed the conversation from message ${text(values, 'message')} on, so nothing behind it could be reused.`,
  too_much: (values: Values) => {
    const need = `${tokens(values, 'need_tokens')} tokens, and its cache holds ${tokens(values, 'cache_tokens')}`;
    return `Evicted: the conversations on replica ${text(values, 'replica')} need ${need}.`;
  },
  evicted: (values: Values) => {
    const gap = `in the ${formatSeconds(Number(values.gap_seconds ?? 0))} since the turn before`;
    return `Evicted: other conversations on replica ${text(values, 'replica')} took its place in the cache ${gap}.`;
  },
} as const satisfies Record<string, (values: Values) => string>;

export const MISS_CODES = Object.keys(SENTENCES);

/** The miss as one sentence in English; a stored one may have a code that this version does not know, and shows that. */
export function missSentence({ code, values }: { readonly code: string; readonly values: Values }): string {
  return isKnown(code) ? SENTENCES[code](values) : code;
}

function isKnown(code: string): code is MissCode {
  return Object.hasOwn(SENTENCES, code);
}
