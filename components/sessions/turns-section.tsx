import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { fileName } from '#components/charts/file-name.ts';
import { PngButton } from '#components/charts/png-button.tsx';
import { Button } from '#components/ui/button.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { TurnDetail } from './turn-detail.tsx';
import { turnPlace } from './turn-place.ts';
import { TurnStrip } from './turn-strip.tsx';
import { TurnTable } from './turn-table.tsx';
import { useTurnsPicture } from './use-turns-picture.ts';

type Props = {
  /** The key of the conversation. */
  readonly session: string;
  readonly turns: readonly RequestEntry[];
  readonly hasMore: boolean;
};

/** The last turns of a conversation as a strip, the one that is pointed at in words, and all of them in a table. */
export function TurnsSection({ session, turns, hasMore }: Props) {
  const t = useTranslations('sessions.panel');
  const draw = useTurnsPicture(session, turns, hasMore);
  const [chosen, setChosen] = useState<string | null>(null);
  const [withTable, setWithTable] = useState(false);
  // The newest one until somebody points at another; that one may have left the strip meanwhile.
  const index = turns.findIndex(({ id }) => id === chosen);
  const at = index === -1 ? turns.length - 1 : index;
  const turn = turns[at];
  return (
    <section aria-labelledby="turns-of-session">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h3 id="turns-of-session" className="font-semibold">
          {t('turns')}
          {hasMore ? (
            <span className="ml-2 font-normal text-muted">{t('turnsNote', { count: turns.length })}</span>
          ) : null}
        </h3>
        {turn === undefined ? null : (
          <span className="flex items-center gap-4">
            <PngButton title={t('turns')} file={`${fileName('session', session)}.png`} draw={draw} />
            <Button aria-expanded={withTable} onClick={() => setWithTable(!withTable)}>
              {t(withTable ? 'hideTable' : 'showTable')}
            </Button>
          </span>
        )}
      </div>
      {turn === undefined ? (
        <p className="mt-2 text-muted">{t('noTurns')}</p>
      ) : (
        <>
          <TurnStrip turns={turns} hasMore={hasMore} chosen={turn.id} onChoose={setChosen} />
          <TurnDetail turn={turn} place={turnPlace(at, turns.length, hasMore)} />
          {withTable ? <TurnTable session={session} turns={turns} hasMore={hasMore} /> : null}
        </>
      )}
    </section>
  );
}
