import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useAdvice } from '#components/data/model-queries.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Notice } from '#components/ui/notice.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { ConnectFacts } from '#lib/contract/connect.ts';
import { CLIENT_NAMES } from './clients.tsx';
import type { ClientId } from './recipes.ts';
import { clientWarnings, contextWarning } from './warnings.ts';

type Props = { readonly client: ClientId; readonly facts: ConnectFacts };

/** What speaks against this client with this model, as far as it is known, and what to do about it. */
export function ConnectWarnings({ client, facts }: Props) {
  const t = useTranslations('connect.warnings');
  const format = useFormat();
  const advice = useAdvice(facts.model);
  const context = contextWarning(client, facts.max_model_len);
  const isUnmeasured = advice.data?.advice.some(({ code }) => code === 'cached_not_reported') === true;
  const notices: ReactNode[] = [
    facts.key_required ? (
      <Notice key="key" tone="warn" title={t('key')}>
        {t('keyDo')}
      </Notice>
    ) : null,
    context === null ? null : (
      <Notice
        key="context"
        tone="warn"
        title={t('context', { client: CLIENT_NAMES[client], tokens: format.exact(context.has) })}
      >
        {t('contextDo', { first: format.compact(context.first), least: format.exact(context.least) })}
      </Notice>
    ),
    ...clientWarnings(client, facts).map((warning) => (
      <Notice key={`${warning.client} ${warning.code}`} tone="warn" title={t(`${warning.code}.title`, warning)}>
        {t(`${warning.code}.do`, warning)}{' '}
        <TextLink href={`/requests?client=${encodeURIComponent(warning.client)}`}>{t('itsRequests')}</TextLink>
      </Notice>
    )),
    isUnmeasured ? (
      <Notice key="unmeasured" tone="warn" title={t('unmeasured')}>
        {t.rich('unmeasuredDo', { code: (words) => <code className="font-mono text-xs">{words}</code> })}
      </Notice>
    ) : null,
  ].filter((notice) => notice !== null);
  return notices.length === 0 ? null : <div className="mb-4 space-y-2">{notices}</div>;
}
