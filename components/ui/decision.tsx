import type { RequestList } from '#lib/contract/activity.ts';
import { Pill, type Tone } from './pill.tsx';

type Kind = RequestList['requests'][number]['decision'];

export const DECISIONS: Readonly<
  Record<Kind, { readonly word: string; readonly tone: Tone; readonly meaning: string }>
> = {
  placed: {
    word: 'placed',
    tone: 'accent',
    meaning: 'First request of a conversation, put on the least-loaded replica',
  },
  sticky: { word: 'sticky', tone: 'ok', meaning: 'Went to its home' },
  spilled: { word: 'spilled', tone: 'warn', meaning: 'Sent elsewhere because its home was at the spill threshold' },
  failed_over: { word: 'failed over', tone: 'bad', meaning: 'Sent elsewhere because its home is down' },
  client_pinned: { word: 'client-pinned', tone: 'plain', meaning: 'The client named the replica itself' },
  balanced: {
    word: 'balanced',
    tone: 'plain',
    meaning: 'No session key, or a side request (a title, a token count): least-loaded replica',
  },
  unrouted: { word: 'unrouted', tone: 'plain', meaning: "The engine's own balancer decided" },
};

/** A decision as its word. */
export function Decision({ kind }: { readonly kind: Kind }) {
  const { word, tone, meaning } = DECISIONS[kind];
  return (
    <span title={meaning}>
      <Pill tone={tone}>{word}</Pill>
    </span>
  );
}
