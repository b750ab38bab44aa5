'use client';

import { Download } from 'lucide-react';
import { download } from '#components/charts/download.ts';
import { useBenchmark } from '#components/data/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { BenchmarkPlan, BenchmarkReport, BenchmarkRun, BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { AllFigures } from './all-figures.tsx';
import { reportFacts } from './facts.ts';
import { Figures } from './figures.tsx';
import { comparableWith, otherOf } from './other.ts';
import { StepTable } from './step-table.tsx';
import { hasCacheFit } from './steps.ts';
import { STATUS_TONES, useWords } from './words.ts';

type Props = {
  readonly summary: BenchmarkSummary;
  readonly runs: readonly BenchmarkSummary[];
  readonly compared: string;
  readonly onCompare: (chosen: string) => void;
  /** Fills the form with the run's numbers; null while another one runs. */
  readonly onRepeat: ((plan: BenchmarkPlan) => void) | null;
};

/** The report of one run. */
export function ReportView({ summary, ...rest }: Props) {
  const { t } = useWords();
  const query = useBenchmark(summary.id, summary.status);
  return (
    <PollState query={query} loading={<Skeleton className="h-96" />} className="">
      {(run) =>
        run.report === null ? (
          <Card title={t('report.title', { run: String(run.id) })} note={<Note run={run} />}>
            <Empty title={t('report.nothing')}>{run.error ?? t('report.endedEarly')}</Empty>
          </Card>
        ) : (
          <Report run={run} report={run.report} {...rest} />
        )
      }
    </PollState>
  );
}

type ReportProps = Omit<Props, 'summary'> & { readonly run: BenchmarkRun; readonly report: BenchmarkReport };

function Report({ run, report, runs, compared, onCompare, onRepeat }: ReportProps) {
  const words = useWords();
  const { t } = words;
  const others = comparableWith(run.id, runs);
  const other = otherOf(compared, others, words);
  const options = [
    { value: 'reference', label: t('report.besideReference') },
    { value: 'none', label: t('report.besideNothing') },
    ...others.map(({ id, model }) => ({
      value: String(id),
      label: t('report.besideRun', { run: String(id), model }),
    })),
  ];
  return (
    <div className="space-y-5">
      <Card
        title={t('report.title', { run: String(run.id) })}
        note={<Note run={run} />}
        actions={
          <>
            <Select
              label={t('report.compare')}
              value={other.value}
              options={options}
              onChange={onCompare}
              className="max-w-full"
            />
            {onRepeat === null ? null : <Button onClick={() => onRepeat(report.plan)}>{t('report.repeat')}</Button>}
            <Button onClick={() => download(`warden-benchmark-${run.id}.json`, toJson(report), 'application/json')}>
              <Download aria-hidden="true" className="size-4" />
              {t('report.json')}
            </Button>
          </>
        }
        flush
      >
        <Warnings report={report} error={run.error} />
        <StepTable caption={t('report.caption')} rows={report.rows} other={other.rows} />
        <p className="border-line border-t px-4 py-2.5 text-muted text-xs">
          {t(hasCacheFit(report.rows) ? 'report.eachWithFit' : 'report.each')}{' '}
          {other.kind === 'nothing'
            ? null
            : `${other.kind === 'reference' ? t('report.belowReference') : t('report.belowRun', { name: other.name })} `}
          {t('report.terms')}
        </p>
      </Card>
      <Figures report={report} id={run.id} other={other} />
      <AllFigures report={report} id={run.id} />
      <Facts report={report} />
    </div>
  );
}

function Note({ run }: { readonly run: BenchmarkRun }) {
  const { t, format } = useWords();
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <Pill tone={STATUS_TONES[run.status]}>{t(`status.${run.status}`)}</Pill>
      <span>{run.model}</span>
      <span className="tabular-nums">{format.dateTime(Date.parse(run.started_at))}</span>
    </span>
  );
}

function Warnings({ report, error }: { readonly report: BenchmarkReport; readonly error: string | null }) {
  const { t } = useWords();
  const { warnings } = report;
  if (warnings.length === 0 && error === null) return null;
  return (
    <div className="space-y-2 border-line border-b p-4">
      {error === null ? null : (
        <Notice tone="bad" title={t('report.notToItsEnd')}>
          {error}
        </Notice>
      )}
      {warnings.length === 0 ? null : (
        <Notice tone="warn" title={t('report.doubts')}>
          <ul className="mt-1 space-y-1">
            {warnings.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function Facts({ report }: { readonly report: BenchmarkReport }) {
  const words = useWords();
  return (
    <Card title={words.t('facts.title')}>
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        {reportFacts(report, words).map(([label, text]) => (
          <div key={label} className="min-w-0">
            <dt className="text-faint text-xs">{label}</dt>
            <dd className="break-words tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function toJson(report: BenchmarkReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
