import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { ModelSummary } from '#lib/contract/models.ts';
import { ruleOfThumb } from './rule-of-thumb.ts';

/** The rule of thumb with its arithmetic: sessions × typical context against the whole cache. */
export function RuleLine({ model }: { readonly model: ModelSummary }) {
  const t = useTranslations('models.rule');
  const { compact } = useFormat();
  const rule = ruleOfThumb(model);
  switch (rule.kind) {
    case 'no_sessions':
      return (
        <Line>
          {rule.capacity === null ? t('noSessionsUnknown') : t('noSessions', { capacity: compact(rule.capacity) })}
        </Line>
      );
    case 'unknown':
      return (
        <Line>
          {rule.context === null
            ? t('unknownContext', { sessions: rule.sessions })
            : t('unknownCapacity', { sessions: rule.sessions, context: compact(rule.context) })}
        </Line>
      );
    case 'fits':
    case 'too_many': {
      const { sessions, context, shared, tokens, capacity } = rule;
      const product = { sessions, context: compact(context), tokens: compact(tokens) };
      const sum = shared === 0 ? t('sum', product) : t('sumShared', { ...product, shared: compact(shared) });
      const fits = { sum, capacity: compact(capacity) };
      if (rule.kind === 'fits') return <Line>{t('fits', fits)}</Line>;
      return (
        <p className="mx-4 mb-3.5 flex gap-2 rounded-md bg-warn-soft px-3 py-2 text-ink text-xs leading-5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          <span>{t('tooMany', fits)}</span>
        </p>
      );
    }
  }
}

function Line({ children }: { readonly children: string }) {
  return <p className="px-4 pb-3.5 text-muted text-xs leading-5">{children}</p>;
}
