import { useTranslations } from 'use-intl';
import type { BarRow } from '#components/charts/bars-png.ts';
import { PALETTE } from '#components/charts/palette.ts';
import { loadCode } from '#components/data/load-code.ts';
import { useFormat } from '#components/language/use-format.ts';
import { DECISIONS } from '#components/ui/decision.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { barOf } from './turn-bar.ts';
import { turnPlace } from './turn-place.ts';
import { useTurnName } from './use-turn-name.ts';

const UNMEASURED = 'var(--control)';

/** Draws the turns of a conversation as a picture, oldest first: a bar of prompt tokens each, with where it went. */
export function useTurnsPicture(
  session: string,
  turns: readonly RequestEntry[],
  hasMore: boolean,
): () => Promise<Blob> {
  const t = useTranslations('sessions.panel');
  const format = useFormat();
  const { name } = useTurnName();
  const most = Math.max(1, ...turns.map(({ prompt_tokens }) => prompt_tokens ?? 0));
  const rowOf = (turn: RequestEntry, index: number): BarRow => {
    const { replica, decision, prompt_tokens: prompt } = turn;
    const where = replica === null ? t('onEngines') : t('onReplica', { replica: String(replica) });
    return {
      label: [name(turnPlace(index, turns.length, hasMore)), where, DECISIONS[decision].word].join(', '),
      parts: partsOf(turn, most),
      text: prompt === null ? '—' : format.exact(prompt),
    };
  };
  return async () => {
    const { barsPng } = await loadCode(() => import('#components/charts/bars-png.ts'));
    return barsPng(turns.map(rowOf), {
      title: t('title', { session }),
      note: t('strip'),
      legend: [
        { key: 'cached', label: t('cached'), color: PALETTE.cached },
        { key: 'computed', label: t('computed'), color: PALETTE.computed },
        { key: 'unmeasured', label: t('notMeasured'), color: UNMEASURED },
      ],
    });
  };
}

function partsOf(turn: RequestEntry, most: number): BarRow['parts'] {
  const bar = barOf(turn, most);
  switch (bar.kind) {
    case 'unknown':
      return [];
    case 'whole':
      return [{ share: bar.percent / 100, color: UNMEASURED }];
    case 'split':
      return [
        { share: bar.cached / 100, color: PALETTE.cached },
        { share: bar.computed / 100, color: PALETTE.computed },
      ];
  }
}
