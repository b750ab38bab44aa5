'use client';

import clsx from 'clsx';
import { Pause, Play } from 'lucide-react';
import { usePaused, usePauseToggle } from '#components/data/pause.ts';
import { useStatus } from '#components/data/queries.ts';
import { useNow } from '#components/data/ticker.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { formatAge } from '#lib/format/duration.ts';

/** How old what is on screen is, and the button that stops and resumes the polling. */
export function LiveControl() {
  const { dataUpdatedAt, isError } = useStatus();
  const paused = usePaused();
  const togglePaused = usePauseToggle();
  const now = useNow();
  const age = now === null || dataUpdatedAt === 0 ? '…' : formatAge(now - dataUpdatedAt);
  const state = isError ? 'Not reached' : paused ? 'Paused' : 'Live';
  return (
    <div className="flex items-center gap-1.5">
      <p
        title={`Last answer of the router: ${age}`}
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
        <span className="min-w-13">{age}</span>
      </p>
      <IconButton label={paused ? 'Resume updates' : 'Pause updates'} onClick={togglePaused}>
        {paused ? <Play aria-hidden="true" className="size-4" /> : <Pause aria-hidden="true" className="size-4" />}
      </IconButton>
    </div>
  );
}
