'use client';

import { Play } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useBenchmarkStart } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Select } from '#components/ui/select.tsx';
import { type BenchmarkPlan, type BenchmarkPolicy, benchmarkPolicy } from '#lib/contract/benchmark.ts';
import type { ModelSummary } from '#lib/contract/models.ts';
import { type Draft, type DraftField, draftOf, newDraft, readDraft } from './draft.ts';
import { Field } from './field.tsx';
import { useWords, wholeSeconds } from './words.ts';

const WORKLOADS = ['reference', 'claude-code'] as const;
const FIELDS: readonly DraftField[] = ['steps', 'seconds', 'warmup', 'repeats'];

type Props = {
  readonly models: readonly ModelSummary[];
  /** An earlier run to repeat; null for the defaults. */
  readonly template: BenchmarkPlan | null;
  readonly onStarted: (id: number) => void;
};

/** What to measure, and the button. */
export function NewRun({ models, template, onStarted }: Props) {
  const words = useWords();
  const { t, format } = words;
  const [draft, setDraft] = useState<Draft>(() =>
    template === null ? newDraft(models[0]?.name ?? '', models[0]?.simulated ?? false) : draftOf(template),
  );
  const failure = useFailureWords();
  const start = useBenchmarkStart();
  const read = readDraft(draft);
  const send = (allowTraffic: boolean) => {
    if (read.kind === 'problem') return;
    start.mutate({ ...read.request, allow_traffic: allowTraffic }, { onSuccess: ({ id }) => onStarted(id) });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    send(false);
  };
  const isTraffic = start.error?.field === 'allow_traffic';
  return (
    <Card title={t('form.title')} note={t('form.note')}>
      <form aria-label={t('form.title')} onSubmit={onSubmit} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice label={t('model')}>
            <Select
              label={t('model')}
              value={draft.model}
              options={models.map(({ name }) => ({ value: name, label: name }))}
              onChange={(model) => setDraft({ ...draft, model })}
              className="w-full"
            />
          </Choice>
          <Choice label={t('load')}>
            <Select
              label={t('load')}
              value={draft.workload}
              options={WORKLOADS.map((value) => ({ value, label: t(`form.workloads.${value}`) }))}
              onChange={(value) =>
                setDraft({ ...draft, workload: value === 'claude-code' ? 'claude-code' : 'reference' })
              }
              className="w-full"
            />
          </Choice>
        </div>
        <fieldset className="flex flex-wrap items-center gap-x-5 gap-y-1">
          <legend className="mb-1 font-medium">{t('form.compared')}</legend>
          {benchmarkPolicy.options.map((policy) => (
            <label key={policy} className="inline-flex min-h-7 items-center gap-2">
              <input
                type="checkbox"
                checked={draft.policies.includes(policy)}
                onChange={({ target }) =>
                  setDraft({ ...draft, policies: toggled(draft.policies, policy, target.checked) })
                }
                className="size-4 accent-accent"
              />
              {t(`settings.${policy}`)}
            </label>
          ))}
          {read.kind === 'problem' && read.field === 'policies' ? (
            <p className="basis-full text-bad text-xs">{t('form.problems.policies')}</p>
          ) : null}
        </fieldset>
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {FIELDS.map((field) => (
            <Field
              key={field}
              label={t(`form.fields.${field}`)}
              hint={t(`form.hints.${field}`)}
              value={draft[field]}
              onChange={(value) => setDraft({ ...draft, [field]: value })}
              problem={read.kind === 'problem' && read.field === field ? t(`form.problems.${field}`) : null}
            />
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ForAdmins>
            <Button look="primary" type="submit" disabled={read.kind === 'problem' || start.isPending}>
              <Play aria-hidden="true" className="size-4" />
              {t('form.start')}
            </Button>
          </ForAdmins>
          <p className="text-muted tabular-nums">
            {read.kind === 'ready'
              ? t('form.summary', {
                  count: read.measurements,
                  measurements: format.exact(read.measurements),
                  time: wholeSeconds(read.seconds, words),
                })
              : null}
          </p>
        </div>
        <p className="max-w-3xl text-muted text-xs">{t('form.means')}</p>
      </form>
      {start.error ? (
        <Notice
          tone={isTraffic ? 'warn' : 'bad'}
          title={failure(start.error).title}
          className="mt-4"
          action={isTraffic ? <Button onClick={() => send(true)}>{t('form.startAnyway')}</Button> : null}
        >
          {failure(start.error).detail}
        </Notice>
      ) : null}
    </Card>
  );
}

function toggled(policies: readonly BenchmarkPolicy[], policy: BenchmarkPolicy, chosen: boolean) {
  const others = policies.filter((one) => one !== policy);
  return chosen ? [...others, policy] : others;
}

/** The select brings its own hidden label; this is the visible one. */
function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <span aria-hidden="true" className="mb-1 block font-medium">
        {label}
      </span>
      {children}
    </div>
  );
}
