'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useBenchmarkRemoval } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Age } from '#components/ui/age.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { hasCacheFit, type StepRow, stepsOf } from './steps.ts';
import { STATUS_TONES, useWords, wholeSeconds } from './words.ts';

type Props = {
  readonly runs: readonly BenchmarkSummary[];
  readonly shown: number | null;
  readonly onShow: (id: number) => void;
};

/** The runs that are kept, newest first. */
export function History({ runs, shown, onShow }: Props) {
  const { t, format } = useWords();
  const [asked, setAsked] = useState<number | null>(null);
  const words = useFailureWords();
  const removal = useBenchmarkRemoval();
  const columns: [Column<BenchmarkSummary>, ...Column<BenchmarkSummary>[]] = [
    { header: t('history.run'), cell: ({ id }) => <span className="font-semibold tabular-nums">{id}</span> },
    { header: t('history.started'), cell: ({ started_at }) => <Age time={started_at} /> },
    {
      header: t('history.status'),
      cell: ({ status }) => <Pill tone={STATUS_TONES[status]}>{t(`status.${status}`)}</Pill>,
    },
    {
      header: t('model'),
      cell: ({ model }) => (
        <span className="block max-w-44 truncate" title={model}>
          {model}
        </span>
      ),
    },
    { header: t('load'), cell: (run) => <Load run={run} /> },
    { header: t('columns.p50'), unit: t('history.firstStep'), align: 'end', cell: (run) => <Headline run={run} /> },
    {
      header: t('history.actions'),
      align: 'end',
      cell: ({ id, status }) => (
        <span className="inline-flex items-center gap-1">
          <Button
            aria-label={t('history.showRun', { run: String(id) })}
            disabled={status === 'running' || id === shown}
            onClick={() => onShow(id)}
          >
            {id === shown ? t('history.shown') : t('history.show')}
          </Button>
          <ForAdmins>
            <IconButton
              label={t('history.deleteRun', { run: String(id) })}
              disabled={status === 'running'}
              onClick={() => setAsked(id)}
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          </ForAdmins>
        </span>
      ),
    },
  ];
  return (
    <Card title={t('history.title')} note={format.exact(runs.length)} flush>
      {removal.error ? (
        <Notice tone="bad" title={words(removal.error).title} className="m-4">
          {words(removal.error).detail}
        </Notice>
      ) : null}
      {runs.length === 0 ? (
        <Empty title={t('history.none')}>{t('history.kept')}</Empty>
      ) : (
        <Table caption={t('history.caption')} columns={columns} rows={runs} rowKey={({ id }) => String(id)} />
      )}
      <Confirm
        open={asked !== null}
        onOpenChange={(open) => (open ? undefined : setAsked(null))}
        title={t('history.deleteQuestion', { run: String(asked) })}
        description={t('history.deleteMeans')}
        confirm={t('history.delete')}
        onConfirm={() => (asked === null ? undefined : removal.mutate(asked))}
      />
    </Card>
  );
}

function Load({ run: { plan } }: { readonly run: BenchmarkSummary }) {
  const words = useWords();
  const { t } = words;
  if (plan === null) return <Reported value={null} format={String} why={t('history.unreadable')} />;
  return (
    <span>
      {t('history.steps', { steps: plan.steps.join(', ') })}
      <span className="block text-faint text-xs">
        {t('history.loadIs', {
          workload: t(`workloads.${plan.workload}`),
          seconds: wholeSeconds(plan.seconds, words),
        })}
      </span>
    </span>
  );
}

function Headline({ run: { rows } }: { readonly run: BenchmarkSummary }) {
  const { t, format } = useWords();
  const [step] = stepsOf(rows);
  const value = (row: StepRow | undefined) => (
    <Reported value={row?.ttfb_p50_seconds ?? null} format={format.seconds} why={t('notMeasured')} />
  );
  return (
    <span>
      {value(step?.off)} <span className="whitespace-nowrap">→ {value(step?.on)}</span>
      {hasCacheFit(rows) ? (
        <>
          {' '}
          <span className="whitespace-nowrap">→ {value(step?.fit)}</span>
        </>
      ) : null}
    </span>
  );
}
