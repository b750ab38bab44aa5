'use client';

import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useDemoChange } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useModels, useStatus } from '#components/data/queries.ts';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Toggle } from '#components/ui/toggle.tsx';
import { AddModel } from './add-model.tsx';

const MOST = 64;
const AT_FIRST = 8;

/** Where the fleet is simulated: says so, and starts synthetic agent sessions so that there is something to see. */
export function DemoControl() {
  const t = useTranslations('models.demo');
  const { data } = useStatus();
  const words = useFailureWords();
  const change = useDemoChange();
  const { data: served } = useModels();
  // Beside a real model, the button of the overview is enough.
  const invites = served?.models.every((model) => model.origin === 'simulated') === true;
  if (!data?.simulated || data.demo === null) return null;
  const sessions = change.isPending ? change.variables : data.demo.sessions;
  return (
    <section aria-labelledby="simulated-fleet" className="rounded-lg border border-line bg-subtle px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 id="simulated-fleet" className="font-semibold">
            {t('title')}
          </h2>
          <p className="mt-0.5 text-muted">
            {t('about')} {sessions === 0 ? t('invite') : null}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ForAdmins>
            <Toggle
              label={t('sessions')}
              checked={sessions > 0}
              busy={change.isPending}
              onChange={(on) => change.mutate(on ? AT_FIRST : 0)}
            />
            <Stepper sessions={sessions} onChange={change.mutate} />
            {invites ? <AddModel invites /> : null}
          </ForAdmins>
        </div>
      </div>
      {change.error ? (
        <Notice tone="bad" title={words(change.error).title} className="mt-3">
          {words(change.error).detail}
        </Notice>
      ) : null}
    </section>
  );
}

function Stepper({ sessions, onChange }: { readonly sessions: number; readonly onChange: (sessions: number) => void }) {
  const t = useTranslations('models.demo');
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    const typed = Number(draft);
    if (draft !== null && draft !== '' && Number.isInteger(typed)) onChange(Math.min(MOST, Math.max(0, typed)));
    setDraft(null);
  };
  return (
    <div className="flex items-center rounded-md border border-line-strong bg-raised">
      <IconButton label={t('fewer')} disabled={sessions <= 0} onClick={() => onChange(sessions - 1)}>
        <Minus aria-hidden="true" className="size-4" />
      </IconButton>
      <input
        inputMode="numeric"
        aria-label={t('count')}
        value={draft ?? sessions}
        onChange={(event) => setDraft(event.target.value.replace(/\D/g, ''))}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setDraft(null);
        }}
        className="h-8 w-10 border-line border-x bg-transparent text-center font-medium tabular-nums"
      />
      <IconButton label={t('more')} disabled={sessions >= MOST} onClick={() => onChange(sessions + 1)}>
        <Plus aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
