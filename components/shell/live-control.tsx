'use client';

import clsx from 'clsx';
import { Pause, Play } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFailure } from '#components/data/failure.ts';
import { usePaused, usePauseToggle } from '#components/data/pause.ts';
import { useStatus } from '#components/data/queries.ts';
import { useNow } from '#components/data/ticker.ts';
import { useFormat } from '#components/language/use-format.ts';
import { IconButton } from '#components/ui/icon-button.tsx';

/** How old what is on screen is, and the button that stops and resumes the polling. */
export function LiveControl() {
  const t = useTranslations('shell.live');
  const format = useFormat();
  const status = useStatus();
  const { dataUpdatedAt } = status;
  const isError = useFailure(status) !== null;
  const paused = usePaused();
  const togglePaused = usePauseToggle();
  const now = useNow();
  const age = now === null || dataUpdatedAt === 0 ? '…' : format.age(now - dataUpdatedAt);
  const state = isError ? t('notReached') : paused ? t('paused') : t('live');
  return (
    <div className="flex items-center gap-1.5">
      <p
        title={t('lastAnswer', { age })}
        className={clsx(
          'flex items-center gap-1.5 whitespace-nowrap tabular-nums',
          isError ? 'text-faint' : 'text-muted',
        )}
      >
        <span
          aria-hidden="true"
          className={clsx('size-2 rounded-full', isError ? 'bg-bad' : paused ? 'bg-warn' : 'bg-ok')}
        />
        <span className="max-xs:sr-only">{state}</span>
        <span className="max-xs:hidden" aria-hidden="true">
          ·
        </span>
        <span className="xs:min-w-[7ch] xs:[html[lang=hi]_&]:min-w-[8ch]">{age}</span>
      </p>
      <IconButton label={paused ? t('resume') : t('pause')} onClick={togglePaused}>
        {paused ? <Play aria-hidden="true" className="size-4" /> : <Pause aria-hidden="true" className="size-4" />}
      </IconButton>
    </div>
  );
}
