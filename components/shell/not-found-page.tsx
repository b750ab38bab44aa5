'use client';

import { useTranslations } from 'use-intl';
import { Empty } from '#components/ui/empty.tsx';
import { TextLink } from '#components/ui/text-link.tsx';

export function NotFoundPage() {
  const t = useTranslations('shell');
  return (
    <Empty title={t('noSuchPage')}>
      <TextLink href="/">{t('toModels')}</TextLink>
    </Empty>
  );
}
