'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useBenchmarkRemoval } from '#components/data/changes.ts';
import { Age } from '#components/ui/age.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { type StepRow, stepsOf } from './steps.ts';
import { STATUS, WORKLOAD_WORDS, wholeSeconds } from './words.ts';

type Props = {
  readonly runs: readonly BenchmarkSummary[];
  readonly shown: number | null;
  readonly onShow: (id: number) => void;
};

/** The runs that are kept, newest first. */
export function History({ runs, shown, onShow }: Props) {
  const [asked, setAsked] = useState<number | null>(null);
  const removal = useBenchmarkRemoval();
  const columns: [Column<BenchmarkSummary>, ...Column<BenchmarkSummary>[]] = [
    { header: 'Run', cell: ({ id }) => <span className="font-semibold tabular-nums">{id}</span> },
    { header: 'Started', cell: ({ started_at }) => <Age time={started_at} /> },
    { header: 'Status', cell: ({ status }) => <Pill tone={STATUS[status].tone}>{STATUS[status].word}</Pill> },
    {
      header: 'Model',
      cell: ({ model }) => (
        <span className="block max-w-44 truncate" title={model}>
          {model}
        </span>
      ),
    },
    { header: 'Load', cell: load },
    { header: 'First byte p50', unit: 'off → on, first step', align: 'end', cell: headline },
    {
      header: 'Actions',
      align: 'end',
      cell: ({ id, status }) => (
        <span className="inline-flex items-center gap-1">
          <Button
            aria-label={`Show run ${id}`}
            disabled={status === 'running' || id === shown}
            onClick={() => onShow(id)}
          >
            {id === shown ? 'Shown' : 'Show'}
          </Button>
          <IconButton label={`Delete run ${id}`} disabled={status === 'running'} onClick={() => setAsked(id)}>
            <Trash2 aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      ),
    },
  ];
  return (
    <Card title="History" note={runs.length} flush>
      {removal.error ? (
        <Notice tone="bad" title={removal.error.title} className="m-4">
          {removal.error.detail}
        </Notice>
      ) : null}
      {runs.length === 0 ? (
        <Empty title="No benchmark yet">Runs are kept with everything they measured until you delete them.</Empty>
      ) : (
        <Table caption="Benchmark runs" columns={columns} rows={runs} rowKey={({ id }) => String(id)} />
      )}
      <Confirm
        open={asked !== null}
        onOpenChange={(open) => (open ? undefined : setAsked(null))}
        title={`Delete run ${asked}?`}
        description="Its report is gone then; download it first if you want to keep it."
        confirm="Delete"
        onConfirm={() => (asked === null ? undefined : removal.mutate(asked))}
      />
    </Card>
  );
}

function load({ plan }: BenchmarkSummary) {
  if (plan === null) return <Reported value={null} format={String} why="What is stored cannot be read" />;
  return (
    <span>
      {plan.steps.join(', ')} sessions
      <span className="block text-faint text-xs">
        {WORKLOAD_WORDS[plan.workload]}, {wholeSeconds(plan.seconds)} a step
      </span>
    </span>
  );
}

function headline({ rows }: BenchmarkSummary) {
  const [step] = stepsOf(rows);
  const value = (row: StepRow | undefined) => (
    <Reported value={row?.ttfb_p50_seconds ?? null} format={formatSeconds} why="Not measured" />
  );
  return (
    <span className="whitespace-nowrap">
      {value(step?.off)} → <span className="font-medium">{value(step?.on)}</span>
    </span>
  );
}
