'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFailure } from '#components/data/failure.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useRouting } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { model } from '#components/messages/en/model.ts';
import { models } from '#components/messages/en/models.ts';
import { requests } from '#components/messages/en/requests.ts';
import { sessions } from '#components/messages/en/sessions.ts';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Loading } from '#components/ui/loading.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';

/** The model's page, where there is such a model. */
export function KnownModel({ children }: { readonly children: ReactNode }) {
  return (
    <WithWords english={WORDS}>
      <Content>{children}</Content>
    </WithWords>
  );
}

const WORDS = { model, models, requests, sessions } as const;

function Content({ children }: { readonly children: ReactNode }) {
  const words = useFailureWords();
  const t = useTranslations('models.known');
  const model = useModelName();
  const query = useRouting(model);
  const { data, refetch } = query;
  const error = useFailure(query);
  if (error?.status === 404) {
    return (
      <Empty title={t('none', { name: model })}>
        <TextLink href="/">{t('all')}</TextLink>
      </Empty>
    );
  }
  if (data !== undefined) return <div className="space-y-5">{children}</div>;
  if (!error) {
    return (
      <Loading>
        <Skeleton className="h-96" />
      </Loading>
    );
  }
  if (error.failure === 'unreachable') return <p className="text-muted">{t('unreachable')}</p>;
  return (
    <Notice tone="bad" title={words(error).title} action={<Button onClick={() => void refetch()}>{t('again')}</Button>}>
      {words(error).detail}
    </Notice>
  );
}
