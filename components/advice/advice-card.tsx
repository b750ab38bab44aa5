'use client';

import clsx from 'clsx';
import { Info, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useAdvice } from '#components/data/model-queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { Advice, ModelAdvice } from '#lib/contract/advice.ts';
import { useAdviceWords } from './advice-words.ts';

/** What the counters of this model say could be better: what was seen, with its numbers, and what to do. */
export function AdviceCard() {
  const t = useTranslations('model.advice');
  const query = useAdvice(useModelName());
  const requests = query.data?.requests ?? 0;
  return (
    <Card title={t('title')} note={requests === 0 ? null : t('note', { requests })} flush>
      <PollState query={query} loading={<OneLine />}>
        {(data) => (data.advice.length === 0 ? <Nothing data={data} /> : <List data={data} />)}
      </PollState>
    </Card>
  );
}

function Nothing({ data }: { readonly data: ModelAdvice }) {
  const t = useTranslations('model.advice');
  return (
    <p className="px-4 py-3.5 text-muted">
      {data.requests < data.requests_needed ? <Few data={data} /> : t('nothing')}
    </p>
  );
}

function Few({ data }: { readonly data: ModelAdvice }) {
  const t = useTranslations('model.advice');
  const format = useFormat();
  return t('few', { requests: format.exact(data.requests), needed: format.exact(data.requests_needed) });
}

function List({ data }: { readonly data: ModelAdvice }) {
  return (
    <>
      <ul className="divide-y divide-line">
        {data.advice.map((advice) => (
          <li key={advice.code} className="px-4 py-3.5">
            <Item advice={advice} />
          </li>
        ))}
      </ul>
      {data.requests < data.requests_needed ? (
        <p className="border-line border-t px-4 py-2.5 text-muted text-xs">
          <Few data={data} />
        </p>
      ) : null}
    </>
  );
}

function Item({ advice }: { readonly advice: Advice }) {
  const t = useTranslations('model.advice');
  const { title, seen, what } = useAdviceWords()(advice);
  const isWarning = advice.severity === 'warn';
  const Icon = isWarning ? TriangleAlert : Info;
  return (
    <div className="flex gap-3">
      <Icon
        role="img"
        aria-label={t(isWarning ? 'warn' : 'info')}
        className={clsx('mt-0.5 size-4 shrink-0', isWarning ? 'text-warn' : 'text-muted')}
      />
      <div className="min-w-0 max-w-prose">
        <h3 className="font-medium">{title}</h3>
        <p className="mt-0.5 text-muted tabular-nums [overflow-wrap:anywhere]">{seen.join(' ')}</p>
        <p className="mt-1 [overflow-wrap:anywhere]">{what}</p>
      </div>
    </div>
  );
}

/** As tall as the sentence that most often takes its place. */
function OneLine() {
  return (
    <div className="px-4 py-3.5">
      <Skeleton className="h-[1.5em]" />
    </div>
  );
}
