import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { AdmissionState } from '#lib/contract/admission.ts';
import { type FitAdvice, fitAdvice, tokensNeeded } from './fit-advice.ts';

/** The rule of thumb with its numbers, and what to change where the conversations do not fit. */
export function FitRuleView({ admission }: { readonly admission: AdmissionState }) {
  const t = useTranslations('model.routing.cacheFit.rule');
  const { rule, mode, replicas } = admission;
  const advice = rule.fits === false ? fitAdvice(rule, replicas.length) : null;
  return (
    <div className="min-w-0">
      <h4 className="font-medium">{t('title')}</h4>
      <p className="mt-1 text-muted tabular-nums">
        <Arithmetic admission={admission} />
      </p>
      {advice === null ? null : <Changes advice={advice} live={rule.live_conversations} waits={mode === 'watching'} />}
    </div>
  );
}

function Arithmetic({ admission: { rule, replicas } }: { readonly admission: AdmissionState }) {
  const t = useTranslations('model.routing.cacheFit.rule');
  const { compact, exact } = useFormat();
  const { live_conversations: live, typical_context_tokens: context, shared_tokens: shared } = rule;
  const needed = tokensNeeded(rule, replicas.length);
  if (context === null || needed === null) return t('none');
  const values = { live: exact(live), context: compact(context), needed: compact(needed) };
  const more = { shared: compact(shared), replicas: exact(replicas.length) };
  const sum = shared === 0 ? t('sumPlain', values) : t('sum', { ...values, ...more });
  const { fits, total_cache_tokens: total, fitting_conversations: fitting } = rule;
  if (fits === null || total === null || fitting === null) return `${sum} ${t('unknown')}`;
  return `${sum} ${t(fits ? 'fits' : 'tooMany', { total: compact(total), fitting: exact(fitting) })}`;
}

type Changing = { readonly advice: FitAdvice; readonly live: number; readonly waits: boolean };

function Changes({ advice, live, waits }: Changing) {
  const t = useTranslations('model.routing.cacheFit.rule');
  const { compact, exact } = useFormat();
  const { sessions, contextTokens, cacheFactor, moreReplicas } = advice;
  return (
    <>
      <h5 className="mt-2 font-medium">{t('change')}</h5>
      <ul className="mt-1 list-disc space-y-0.5 pl-4 text-muted marker:text-faint">
        <li>{sessions === 0 ? t('noSession') : t('sessions', { sessions, live: exact(live) })}</li>
        {contextTokens === null ? null : <li>{t('context', { tokens: compact(contextTokens) })}</li>}
        <li>{t('cache', { factor: exact(cacheFactor) })}</li>
        {moreReplicas === null ? null : <li>{t('replicas', { more: moreReplicas })}</li>}
        {waits ? <li>{t('wait')}</li> : null}
      </ul>
    </>
  );
}
