'use client';

import { useState } from 'react';
import { useBenchmarkRemoval } from '#components/data/changes.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { BenchmarkProgress, BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { StepTable } from './step-table.tsx';
import { progressWords, wholeSeconds } from './words.ts';

/** How the benchmark under way goes, and what it has measured. Doubts are told with the report, when it is complete. */
export function RunningRun({ run }: { readonly run: BenchmarkSummary }) {
  const [asking, setAsking] = useState(false);
  const removal = useBenchmarkRemoval();
  const { progress } = run;
  return (
    <Card
      title={`Benchmark ${run.id} is running`}
      note={run.model}
      actions={
        <Button disabled={removal.isPending} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      }
      flush
    >
      <div className="space-y-3 p-4">
        {progress ? <Bar progress={progress} /> : null}
        {removal.error ? (
          <Notice tone="bad" title={removal.error.title}>
            {removal.error.detail}
          </Notice>
        ) : null}
      </div>
      {run.rows.length > 0 ? (
        <div className="border-line border-t">
          <StepTable caption="Measured so far" rows={run.rows} other={[]} />
        </div>
      ) : null}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this benchmark?"
        description="What it has measured so far is kept. The affinity setting goes back to what it was."
        confirm="Cancel the benchmark"
        onConfirm={() => removal.mutate(run.id)}
      />
    </Card>
  );
}

function Bar({ progress }: { readonly progress: BenchmarkProgress }) {
  const { cell, cells, done_percent, left_seconds, turns, errors } = progress;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium">{progressWords(progress)}</p>
        <p className="text-muted tabular-nums">about {wholeSeconds(left_seconds)} left</p>
      </div>
      <div
        role="progressbar"
        aria-label="Progress of the benchmark"
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
        Measurement {cell + 1} of {cells}; {turns} {turns === 1 ? 'turn' : 'turns'} answered in it
        {errors > 0 ? `, ${errors} failed` : ''}.
      </p>
    </>
  );
}
