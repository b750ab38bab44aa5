import { useTranslations } from 'use-intl';
import { Empty } from '#components/ui/empty.tsx';
import { TextLink } from '#components/ui/text-link.tsx';

export function NoSessions() {
  const t = useTranslations('sessions');
  return (
    <Empty title={t('none')}>
      {t.rich('noneWhy', { link: (words) => <TextLink href="/connect">{words}</TextLink> })}
    </Empty>
  );
}
