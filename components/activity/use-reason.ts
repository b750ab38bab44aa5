import { useTranslations } from 'use-intl';
import { requests } from '#components/messages/en/requests.ts';
import type { RequestEntry } from '#lib/contract/activity.ts';

/** Says why a request went where it went in the reader's language; a code that this page does not know, in English. */
export function useReason(): (request: Pick<RequestEntry, 'reason' | 'reason_code'>) => string {
  const t = useTranslations('requests.why');
  return ({ reason, reason_code }) => {
    if (reason_code === null || !isKnown(reason_code.code)) return reason;
    const { code, values } = reason_code;
    const text = (name: string): string => String(values[name] ?? '');
    return t(code, {
      home: text('home'),
      replica: text('replica'),
      unreachable: text('unreachable'),
      in_flight: text('in_flight'),
      threshold: text('threshold'),
      live: Number(values.live ?? 0),
      spills: text('spills'),
      side: text('side'),
      why: text('why'),
      warm: text('warm'),
      chooser: values.replica === undefined ? 'engine' : 'rule',
    });
  };
}

function isKnown(code: string): code is keyof typeof requests.why {
  return Object.hasOwn(requests.why, code);
}
