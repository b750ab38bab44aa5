import { useTranslations } from 'use-intl';
import type { RequestList } from '#lib/contract/activity.ts';
import { Pill, type Tone } from './pill.tsx';

type Kind = RequestList['requests'][number]['decision'];

/** The words of the decisions are names, the same in every language. */
export const DECISIONS: Readonly<Record<Kind, { readonly word: string; readonly tone: Tone }>> = {
  placed: { word: 'placed', tone: 'accent' },
  sticky: { word: 'sticky', tone: 'ok' },
  spilled: { word: 'spilled', tone: 'warn' },
  failed_over: { word: 'failed over', tone: 'bad' },
  client_pinned: { word: 'client-pinned', tone: 'plain' },
  balanced: { word: 'balanced', tone: 'plain' },
  unrouted: { word: 'unrouted', tone: 'plain' },
};

/** A decision as its word. */
export function Decision({ kind }: { readonly kind: Kind }) {
  const t = useTranslations('ui.decision');
  const { word, tone } = DECISIONS[kind];
  return (
    <span title={t(kind)}>
      <Pill tone={tone}>{word}</Pill>
    </span>
  );
}
