import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '#components/data/client.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { type AccountDraft, accountProblems, EMPTY_ACCOUNT, hasProblem } from './account.ts';
import { AccountFields } from './account-fields.tsx';
import { useFirstRun } from './changes.ts';

/** Makes the first admin, with the token of the link that was printed. */
export function FirstRunForm({ token }: { readonly token: string | null }) {
  const t = useTranslations('access.firstRun');
  const [draft, setDraft] = useState<AccountDraft>(EMPTY_ACCOUNT);
  const [isTried, setTried] = useState(false);
  const firstRun = useFirstRun();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (token === null || hasProblem(accountProblems(draft))) return;
    const { name, password } = draft;
    firstRun.mutate({ token, name, password }, { onSuccess: () => location.replace('/') });
  };
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <div>
        <h1 className="font-semibold text-lg">{t('title')}</h1>
        <p className="mt-1 text-muted">{t('what')}</p>
      </div>
      {token === null ? (
        <Notice tone="warn" title={t('noToken')}>
          {t('noTokenWhy')}
        </Notice>
      ) : (
        <>
          {firstRun.error ? <Refused error={firstRun.error} /> : null}
          <AccountFields draft={draft} onChange={setDraft} isTried={isTried} />
          <Button type="submit" look="primary" className="h-9 w-full" disabled={firstRun.isPending}>
            {t('submit')}
          </Button>
        </>
      )}
    </form>
  );
}

function Refused({ error }: { readonly error: ApiError }) {
  const t = useTranslations('access.firstRun');
  const words = useFailureWords();
  const { title, detail } = error.field === 'token' ? { title: t('badToken'), detail: t('badTokenWhy') } : words(error);
  return (
    <Notice tone="bad" title={title}>
      {detail}
    </Notice>
  );
}
