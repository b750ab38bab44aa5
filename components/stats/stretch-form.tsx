'use client';

import { type SubmitEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Stretch } from '#components/data/series-queries.ts';
import { Button } from '#components/ui/button.tsx';
import { fieldTime, readStretch, type StretchProblem } from './stretch.ts';

type Props = { readonly stretch: Stretch; readonly onChoose: (stretch: Stretch) => void };

/** The two ends of a stretch of time of one's own. */
export function StretchForm({ stretch, onChoose }: Props) {
  const t = useTranslations('stats');
  const [from, setFrom] = useState(() => shown(stretch.from));
  const [to, setTo] = useState(() => shown(stretch.to));
  const [problem, setProblem] = useState<StretchProblem | null>(null);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = readStretch(from, to, Date.now());
    setProblem(read.kind === 'problem' ? read.problem : null);
    if (read.kind === 'ready') onChoose(read.stretch);
  };
  return (
    <form
      aria-label={t('customName')}
      onSubmit={onSubmit}
      noValidate
      className="flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      <TimeField label={t('from')} value={from} onChange={setFrom} invalid={problem !== null} />
      <TimeField label={t('to')} value={to} onChange={setTo} invalid={problem !== null} />
      <Button type="submit">{t('show')}</Button>
      <p role="alert" className="basis-full text-bad text-xs empty:hidden">
        {problem === null ? '' : t(`problems.${problem}`)}
      </p>
    </form>
  );
}

/** What the address has may be anything. */
function shown(time: string): string {
  const parsed = Date.parse(time);
  return Number.isFinite(parsed) ? fieldTime(parsed) : '';
}

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly invalid: boolean;
};

function TimeField({ label, value, onChange, invalid }: FieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-0.5 block text-muted text-xs">
        {label}
      </label>
      <input
        id={id}
        type="datetime-local"
        value={value}
        aria-invalid={invalid}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 rounded-md border border-line-strong bg-raised px-2 tabular-nums aria-invalid:border-bad"
      />
    </div>
  );
}
