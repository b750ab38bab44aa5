'use client';

import { useState } from 'react';
import { useBenchmarkRemoval } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { BenchmarkProgress, BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { StepTable } from './step-table.tsx';
import { sessionWords, useWords, wholeSeconds } from './words.ts';

/** How the benchmark under way goes, and what it has measured. Doubts are told with the report, when it is complete. */
export function RunningRun({ run }: { readonly run: BenchmarkSummary }) {
  const { t } = useWords();
  const [asking, setAsking] = useState(false);
  const words = useFailureWords();
  const removal = useBenchmarkRemoval();
  const { progress } = run;
  return (
    <Card
      title={t('running.title', { run: String(run.id) })}
      note={run.model}
      actions={
        <ForAdmins>
          <Button disabled={removal.isPending} onClick={() => setAsking(true)}>
            {t('running.cancel')}
          </Button>
        </ForAdmins>
      }
      flush
    >
      <div className="space-y-3 p-4">
        {progress ? <Bar progress={progress} /> : null}
        {removal.error ? (
          <Notice tone="bad" title={words(removal.error).title}>
            {words(removal.error).detail}
          </Notice>
        ) : null}
      </div>
      {run.rows.length > 0 ? (
        <div className="border-line border-t">
          <StepTable caption={t('running.soFar')} rows={run.rows} other={[]} />
        </div>
      ) : null}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('running.cancelQuestion')}
        description={t('running.cancelMeans')}
        confirm={t('running.cancelIt')}
        onConfirm={() => removal.mutate(run.id)}
      />
    </Card>
  );
}

function Bar({ progress }: { readonly progress: BenchmarkProgress }) {
  const words = useWords();
  const { t, format } = words;
  const { cell, cells, done_percent, left_seconds, turns, errors, policy, sessions, phase } = progress;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium">
          {t('running.doing', {
            setting: t(`settings.${policy}`),
            sessions: sessionWords(sessions, words),
            phase: t(`phases.${phase}`),
          })}
        </p>
        <p className="text-muted tabular-nums">{t('running.left', { time: wholeSeconds(left_seconds, words) })}</p>
      </div>
      <div
        role="progressbar"
        aria-label={t('running.progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(done_percent)}
        className="h-2 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full origin-left rounded-full bg-accent transition-transform"
          style={{ transform: `scaleX(${done_percent / 100})` }}
        />
      </div>
      <p className="text-muted text-xs tabular-nums">
        {t('running.measurement', {
          cell: format.exact(cell + 1),
          cells: format.exact(cells),
          count: turns,
          turns: format.exact(turns),
        })}{' '}
        {errors > 0 ? t('running.failed', { errors: format.exact(errors) }) : null}
      </p>
    </>
  );
}
