import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Notice } from '#components/ui/notice.tsx';

type Props = { readonly requests: number; readonly className?: string };

/** That requests wait for an engine that is away, and how that ends; nothing where none does. */
export function WaitingForEngine({ requests, className = '' }: Props) {
  const t = useTranslations('model.engine');
  if (requests === 0) return null;
  const code = (words: ReactNode) => <code className="font-mono text-xs [overflow-wrap:anywhere]">{words}</code>;
  return (
    <Notice tone="warn" title={t('waiting', { requests })} className={className}>
      {t.rich('waitingHow', { code })}
    </Notice>
  );
}
