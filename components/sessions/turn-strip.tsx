import clsx from 'clsx';
import { RadioGroup } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { COLORS, PALETTE } from '#components/charts/palette.ts';
import { useFormat } from '#components/language/use-format.ts';
import { DECISIONS } from '#components/ui/decision.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { barOf, type TurnBar } from './turn-bar.ts';
import { type TurnPlace, turnPlace } from './turn-place.ts';
import { useTurnName } from './use-turn-name.ts';

type Props = {
  /** Oldest first. */
  readonly turns: readonly RequestEntry[];
  /** There are earlier turns than those. */
  readonly hasMore: boolean;
  /** The id of the turn that is read about. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

/**
 * A conversation's turns side by side: cached and computed prompt tokens as a bar, under it the replica in its colour and
 * by its number. Pointing at a turn, or the arrow keys, choose it.
 */
export function TurnStrip({ turns, hasMore, chosen, onChoose }: Props) {
  const t = useTranslations('sessions.panel');
  const box = useRef<HTMLDivElement>(null);
  const newest = turns.at(-1)?.id;
  // The newest turn is at the right end, and is what people came for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box is scrolled when a turn is added
  useEffect(() => {
    if (box.current !== null) box.current.scrollLeft = box.current.scrollWidth;
  }, [newest]);
  const most = Math.max(1, ...turns.map(({ prompt_tokens }) => prompt_tokens ?? 0));
  return (
    <div className="mt-3">
      <div ref={box} className="overflow-x-auto pb-1">
        <RadioGroup.Root
          aria-label={t('strip')}
          value={chosen}
          onValueChange={onChoose}
          orientation="horizontal"
          loop={false}
          className="flex w-max min-w-full items-end gap-0.5 p-1"
        >
          {turns.map((turn, index) => (
            <Turn
              key={turn.id}
              turn={turn}
              place={turnPlace(index, turns.length, hasMore)}
              most={most}
              onPoint={() => onChoose(turn.id)}
            />
          ))}
        </RadioGroup.Root>
      </div>
      <Legend />
    </div>
  );
}

type TurnProps = {
  readonly turn: RequestEntry;
  readonly place: TurnPlace;
  readonly most: number;
  readonly onPoint: () => void;
};

function Turn({ turn, place, most, onPoint }: TurnProps) {
  const label = useTurnLabel();
  const bar = barOf(turn, most);
  return (
    <RadioGroup.Item
      value={turn.id}
      aria-label={label(turn, place)}
      onMouseEnter={onPoint}
      className="group flex w-5 max-w-9 flex-1 flex-col rounded-sm px-px pb-0.5 hover:bg-hover data-[state=checked]:bg-hover"
    >
      <span className="flex h-28 flex-col justify-end gap-px">
        <Bar bar={bar} />
      </span>
      <span
        className="mt-1 block h-1.5 rounded-sm"
        style={{ background: turn.replica === null ? PALETTE.muted : COLORS[turn.replica % COLORS.length] }}
      />
      <span className="block text-center text-muted text-xs tabular-nums leading-4 group-data-[state=checked]:font-semibold group-data-[state=checked]:text-ink">
        {turn.replica ?? '·'}
      </span>
    </RadioGroup.Item>
  );
}

function Bar({ bar }: { readonly bar: TurnBar }) {
  if (bar.kind === 'unknown') return <span className="h-px bg-control" />;
  if (bar.kind === 'whole') {
    return <span className="rounded-t-sm bg-control opacity-60" style={{ height: `${bar.percent}%` }} />;
  }
  return (
    <>
      {bar.computed > 0 ? <span className="rounded-t-sm bg-computed" style={{ height: `${bar.computed}%` }} /> : null}
      {bar.cached > 0 ? (
        <span
          className={clsx('bg-cached', bar.computed === 0 && 'rounded-t-sm')}
          style={{ height: `${bar.cached}%` }}
        />
      ) : null}
    </>
  );
}

function useTurnLabel() {
  const t = useTranslations('sessions.panel');
  const format = useFormat();
  const { name } = useTurnName();
  return (turn: RequestEntry, place: TurnPlace): string => {
    const { prompt_tokens: prompt, cached_tokens: cached, replica } = turn;
    const isMeasured = prompt !== null && cached !== null && prompt > 0;
    return t('turnLabel', {
      turn: name(place),
      replica: replica === null ? t('onEngines') : t('onReplica', { replica: String(replica) }),
      decision: DECISIONS[turn.decision].word,
      prompt: prompt === null ? t('noPrompt') : t('promptTokens', { tokens: format.exact(prompt) }),
      cached: isMeasured ? t('cachedShare', { share: format.percent((100 * cached) / prompt, 0) }) : t('noShare'),
    });
  };
}

function Legend() {
  const t = useTranslations('sessions.panel');
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2.5 rounded-sm bg-cached" />
        {t('cached')}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2.5 rounded-sm bg-computed" />
        {t('computed')}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2.5 rounded-sm bg-control opacity-60" />
        {t('notMeasured')}
      </li>
      <li>{t('hint')}</li>
    </ul>
  );
}
