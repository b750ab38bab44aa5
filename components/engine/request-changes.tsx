import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Fact } from '#components/ui/fact-list.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { ConfigKey } from './config-key.tsx';

const RESPONSES = '/v1/responses';

/** What the router changes in requests on their way to the engine, why, and how to have it otherwise. */
export function RequestChanges({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.engine');
  const key = (words: ReactNode) => <ConfigKey>{words}</ConfigKey>;
  const code = (words: ReactNode) => <code className="font-mono text-xs [overflow-wrap:anywhere]">{words}</code>;
  return (
    <>
      <Fact name={t('billing')}>
        <p>{t(state.pins_billing_line ? 'billingPinned' : 'billingLeft')}</p>
        <p className="text-muted">{t.rich('billingWhy', { code, key })}</p>
      </Fact>
      {isTranslated(state) ? (
        <Fact name={RESPONSES}>
          <p>{t('translated')}</p>
          <p className="text-muted">{t.rich(state.affinity ? 'translatedRest' : 'translatedRestOff', { key })}</p>
        </Fact>
      ) : null}
    </>
  );
}

/** The paths that are never pinned: without /v1/responses where that is translated. */
export function unroutedPaths(state: RoutingState): readonly string[] {
  return isTranslated(state) ? state.unpinnable_paths.filter((path) => path !== RESPONSES) : state.unpinnable_paths;
}

function isTranslated(state: RoutingState): boolean {
  return state.translates_responses && state.unpinnable_paths.includes(RESPONSES);
}
