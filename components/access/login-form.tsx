import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '#components/data/client.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { pageAfterLogin } from '#components/data/login-address.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useSignIn } from './changes.ts';
import { TextInput } from './text-input.tsx';

/** Name and password; goes on to the page that was asked for. */
export function LoginForm() {
  const t = useTranslations('access');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A whole load: nothing that an earlier person saw may stay in memory.
    signIn.mutate({ name, password }, { onSuccess: () => location.replace(pageAfterLogin(location.search)) });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <h1 className="font-semibold text-lg">{t('login.title')}</h1>
      {signIn.error ? <Refused error={signIn.error} /> : null}
      <TextInput label={t('name')} name="username" autoComplete="username" value={name} onChange={setName} required />
      <TextInput
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
      <Button type="submit" look="primary" className="h-9 w-full" disabled={signIn.isPending || signIn.isSuccess}>
        {t('login.submit')}
      </Button>
      <p className="text-muted text-xs">{t('login.forgotten')}</p>
    </form>
  );
}

function Refused({ error }: { readonly error: ApiError }) {
  const t = useTranslations('access.login');
  const words = useFailureWords();
  if (error.status === 401) return <Notice tone="bad" title={t('wrong')} />;
  if (error.status === 429) {
    return (
      <Notice tone="bad" title={t('tooMany')}>
        {t('tooManyWhy')}
      </Notice>
    );
  }
  const { title, detail } = words(error);
  return (
    <Notice tone="bad" title={title}>
      {detail}
    </Notice>
  );
}
