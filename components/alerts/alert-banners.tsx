'use client';

import { useAlerts } from '#components/data/queries.ts';
import { Notice } from '#components/ui/notice.tsx';
import { useAlertWords } from './alert-words.ts';

/** What cannot wait until somebody looks at the bell: the critical alerts, on every page. */
export function AlertBanners() {
  const words = useAlertWords();
  const { data } = useAlerts();
  const critical = (data?.alerts ?? []).filter(({ severity }) => severity === 'critical');
  if (critical.length === 0) return null;
  return (
    <div className="page-width mx-auto space-y-2 px-4 pt-4 md:px-6">
      {critical.map((alert) => {
        const { message, action } = words(alert);
        return (
          <Notice key={alert.id} tone="bad" title={message}>
            {action}
          </Notice>
        );
      })}
    </div>
  );
}
