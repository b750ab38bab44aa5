'use client';

import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useAlerts } from '#components/data/queries.ts';
import { Notice } from '#components/ui/notice.tsx';
import { useAlertWords } from './alert-words.ts';

/** What cannot wait until somebody looks at the bell: the critical alerts, on every page. */
export function AlertBanners() {
  const t = useTranslations('alerts');
  const words = useAlertWords();
  const locale = useLocale();
  const { data } = useAlerts();
  const critical = (data?.alerts ?? []).filter(({ severity }) => severity === 'critical');
  if (critical.length === 0) return null;
  return (
    <section aria-label={t('title')} className="page-width mx-auto space-y-2 px-4 pt-4 md:px-6">
      {critical.map((alert) => {
        const { message, action } = words(alert);
        return (
          <div key={alert.id}>
            <Announced key={`${locale} ${alert.values.whole_model}`} text={`${message} ${action}`} />
            <Notice silent tone="bad" title={message}>
              {action}
            </Notice>
          </div>
        );
      })}
    </section>
  );
}

/** The figures in the sentence change every few seconds; it is spoken once, as it was then. */
function Announced({ text }: { readonly text: string }) {
  const [spoken] = useState(text);
  return (
    <p role="alert" className="sr-only">
      {spoken}
    </p>
  );
}
