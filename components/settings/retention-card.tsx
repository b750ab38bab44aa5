'use client';

import { type SubmitEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useSettingsChange } from '#components/data/settings.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { RETENTION_BOUNDS, type RetentionName } from '#lib/contract/settings.ts';
import { changesOf, type Kept, type RetentionDraft, readAmount } from './retention-draft.ts';

const UNITS = {
  raw_hours: 'hours',
  minute_days: 'days',
  hour_days: 'days',
  request_days: 'days',
  request_rows: 'rows',
  event_days: 'days',
  audit_days: 'days',
} as const satisfies Record<RetentionName, string>;

/** How long each kind of data is kept, to be changed in place. Asks before a change that deletes. */
export function RetentionCard({ kept }: { readonly kept: readonly Kept[] }) {
  const t = useTranslations('settings.retention');
  const words = useFailureWords();
  const change = useSettingsChange();
  const [draft, setDraft] = useState<RetentionDraft>({});
  const [asking, setAsking] = useState(false);
  const wanted = changesOf(draft, kept);
  const save = () => {
    if (wanted) change.mutate({ retention: wanted.changes }, { onSuccess: () => setDraft({}) });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (wanted?.any !== true) return;
    if (wanted.deletes) setAsking(true);
    else save();
  };
  return (
    <Card title={t('title')}>
      <form onSubmit={onSubmit} className="space-y-3">
        {kept.map((one) => (
          <AmountField
            key={one.name}
            kept={one}
            text={draft[one.name] ?? String(one.value)}
            onText={(text) => setDraft({ ...draft, [one.name]: text })}
          />
        ))}
        {change.error ? (
          <Notice tone="bad" title={words(change.error).title}>
            {words(change.error).detail}
          </Notice>
        ) : null}
        <div className="flex gap-2 pt-1">
          <ForAdmins>
            <Button type="submit" look="primary" disabled={wanted?.any !== true || change.isPending}>
              {change.isPending ? t('saving') : t('save')}
            </Button>
          </ForAdmins>
          <Button disabled={Object.keys(draft).length === 0} onClick={() => setDraft({})}>
            {t('cancel')}
          </Button>
        </div>
      </form>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('shorter')}
        description={t('shorterWhy')}
        confirm={t('shorterConfirm')}
        onConfirm={save}
      />
    </Card>
  );
}

type FieldProps = { readonly kept: Kept; readonly text: string; readonly onText: (text: string) => void };

function AmountField({ kept: { name, default: byDefault }, text, onText }: FieldProps) {
  const t = useTranslations('settings.retention');
  const format = useFormat();
  const id = useId();
  const bad = readAmount(name, text) === null;
  const { min, max } = RETENTION_BOUNDS[name];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4">
      <label htmlFor={id} className="pt-1">
        {t(name)}
        <span className="block text-faint text-xs">{t(`${name}_for`)}</span>
      </label>
      <div>
        <div className="flex items-center gap-2">
          <input
            id={id}
            inputMode="numeric"
            value={text}
            onChange={(event) => onText(event.target.value)}
            aria-invalid={bad}
            aria-describedby={`${id}-about`}
            className="h-8 w-24 rounded-md border border-line-strong bg-raised px-2.5 text-right tabular-nums aria-invalid:border-bad"
          />
          <span className="w-12 text-muted">{t(UNITS[name])}</span>
        </div>
        <p id={`${id}-about`} className={bad ? 'mt-0.5 w-38 text-bad text-xs' : 'mt-0.5 w-38 text-faint text-xs'}>
          {bad
            ? t('outside', { min: format.exact(min), max: format.exact(max) })
            : t('byDefault', { value: format.exact(byDefault) })}
        </p>
      </div>
    </div>
  );
}
