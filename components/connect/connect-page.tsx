'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnectFacts } from '#components/data/activity.ts';
import { useModels } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { connect } from '#components/messages/en/connect.ts';
import { requests } from '#components/messages/en/requests.ts';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Select } from '#components/ui/select.tsx';
import { Clients } from './clients.tsx';
import { ConnectWarnings } from './connect-warnings.tsx';
import { FirstRequest } from './first-request.tsx';
import { useOrigin } from './origin.ts';
import type { Target } from './recipes.ts';
import { TestTurn } from './test-turn.tsx';
import { useClientTab } from './url-state.ts';

/** How to point a client at this router, what may go wrong with it, a turn to try, and the light of its first request. */
export function ConnectPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { connect, requests } as const;

function Content() {
  const t = useTranslations('connect');
  const origin = useOrigin() ?? 'http://…';
  const { data } = useModels();
  const models = data?.models ?? [];
  const [chosen, setChosen] = useModelFilter();
  const [client, setClient] = useClientTab();
  const model = chosen ?? models[0]?.name ?? 'MODEL';
  const served = models.find(({ name }) => name === model);
  const names = served === undefined ? [model, ...models.map(({ name }) => name)] : models.map(({ name }) => name);
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
      <Card title={t('title')}>
        <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-3">
          <div>
            <dt className="text-muted text-xs">{t('baseUrl')}</dt>
            <dd className="flex min-h-8 items-center gap-1 break-all font-medium font-mono">
              {origin}
              <CopyButton text={origin} label={t('copyBaseUrl')} />
            </dd>
          </div>
          <div className="min-w-0">
            <dt className="text-muted text-xs">{t('model')}</dt>
            <dd className="mt-1 min-w-0">
              <Select
                label={t('model')}
                value={model}
                options={names.map((name) => ({ value: name, label: name }))}
                onChange={(name) => void setChosen(name)}
                className="w-72 max-w-full"
              />
            </dd>
          </div>
        </dl>
        {served === undefined ? (
          <Clients client={client} onClient={setClient} target={unknownTarget(origin, model)} />
        ) : (
          <ForModel key={model} origin={origin} model={model} />
        )}
      </Card>
      <Trial key={model} model={model} ready={served !== undefined} />
    </div>
  );
}

/** Until the router has answered: the blocks of a model without any particulars. */
function unknownTarget(origin: string, model: string): Target {
  return { origin, model, context: null, keyRequired: false, takesClaudeNames: true };
}

function ForModel({ origin, model }: { readonly origin: string; readonly model: string }) {
  const { data: facts } = useConnectFacts(model);
  const [client, setClient] = useClientTab();
  const target: Target =
    facts === undefined
      ? unknownTarget(origin, model)
      : {
          origin,
          model,
          context: facts.max_model_len,
          keyRequired: facts.key_required,
          takesClaudeNames: facts.takes_claude_names,
        };
  return (
    <>
      {facts === undefined ? null : <ConnectWarnings client={client} facts={facts} />}
      <Clients client={client} onClient={setClient} target={target} />
    </>
  );
}

function Trial({ model, ready }: { readonly model: string; readonly ready: boolean }) {
  const [ownIds, setOwnIds] = useState<readonly string[]>([]);
  return (
    <div className="space-y-5">
      {ready ? <FirstRequest model={model} ownIds={ownIds} /> : null}
      <TestTurn model={model} ready={ready} onSent={(id) => setOwnIds((ids) => [...ids, id])} />
    </div>
  );
}
