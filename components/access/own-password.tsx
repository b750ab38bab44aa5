import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useOwnPassword } from './changes.ts';
import { TextInput } from './text-input.tsx';

const MIN_PASSWORD = 8;

/** Changes one's own password. */
export function OwnPassword({ isFixed }: { readonly isFixed: boolean }) {
  const t = useTranslations('access');
  return (
    <Card title={t('own.title')}>{isFixed ? <p className="text-muted">{t('own.fixed')}</p> : <PasswordForm />}</Card>
  );
}

function PasswordForm() {
  const t = useTranslations('access');
  const words = useFailureWords();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const change = useOwnPassword();
  const isShort = [...password].length < MIN_PASSWORD;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isShort || current === '') return;
    const clear = () => {
      setCurrent('');
      setPassword('');
      setTried(false);
    };
    change.mutate({ current, password }, { onSuccess: clear });
  };
  const isWrong = change.error?.field === 'current';
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {change.error && !isWrong ? (
        <Notice tone="bad" title={words(change.error).title}>
          {words(change.error).detail}
        </Notice>
      ) : null}
      <TextInput
        label={t('own.current')}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        problem={isWrong ? t('own.wrong') : null}
      />
      <TextInput
        label={t('own.next')}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        hint={t('passwordHint')}
        problem={isTried && isShort ? t('passwordShort') : null}
      />
      <Button type="submit" disabled={change.isPending}>
        {t('own.submit')}
      </Button>
      <p role="status" className="text-ok text-xs">
        {change.isSuccess ? t('own.changed') : ''}
      </p>
    </form>
  );
}
