'use client';

import { parseAsInteger, parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { useBenchmarks, useModels } from '#components/data/queries.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { benchmark } from '#components/messages/en/benchmark.ts';
import { Empty } from '#components/ui/empty.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { BenchmarkPlan } from '#lib/contract/benchmark.ts';
import { History } from './history.tsx';
import { NewRun } from './new-run.tsx';
import { ReportView } from './report-view.tsx';
import { RunningRun } from './running-run.tsx';
import { useWords } from './words.ts';

/** The A/B of affinity on one's own box; the run shown and what it is compared with are in the address. */
export function BenchmarkPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { benchmark } as const;

function Content() {
  const { t } = useWords();
  const [chosen, setChosen] = useQueryState('run', parseAsInteger);
  const [compared, setCompared] = useQueryState('compare', parseAsString.withDefault('reference'));
  const [template, setTemplate] = useState<{ readonly run: number; readonly plan: BenchmarkPlan } | null>(null);
  const models = useModels();
  const benchmarks = useBenchmarks();
  const repeat = (run: number) => (plan: BenchmarkPlan) => {
    setTemplate({ run, plan });
    scrollTo({ top: 0 });
  };
  return (
    <div className="space-y-5">
      <PollState query={benchmarks} loading={<Skeleton className="h-72" />} className="">
        {({ runs }) => {
          const running = runs.find(({ status }) => status === 'running');
          const ended = runs.filter(({ status }) => status !== 'running');
          const shown = ended.find(({ id }) => id === chosen) ?? ended.find(({ rows }) => rows.length > 0) ?? null;
          return (
            <>
              {running ? (
                <RunningRun run={running} />
              ) : (
                <PollState query={models} loading={<Skeleton className="h-72" />} className="">
                  {(data) =>
                    data.models.length === 0 ? (
                      <Empty title={t('noModel')}>{t('nothingToMeasure')}</Empty>
                    ) : (
                      <NewRun
                        key={template?.run ?? 'new'}
                        template={template?.plan ?? null}
                        models={data.models}
                        onStarted={(id) => void setChosen(id)}
                      />
                    )
                  }
                </PollState>
              )}
              {shown === null ? null : (
                <ReportView
                  key={shown.id}
                  summary={shown}
                  runs={ended}
                  compared={compared}
                  onCompare={(value) => void setCompared(value)}
                  onRepeat={running ? null : repeat(shown.id)}
                />
              )}
              <History runs={runs} shown={shown?.id ?? null} onShow={(id) => void setChosen(id)} />
            </>
          );
        }}
      </PollState>
    </div>
  );
}
