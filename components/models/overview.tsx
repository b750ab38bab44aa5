'use client';

import { useTranslations } from 'use-intl';
import { useModels } from '#components/data/queries.ts';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { AddModel } from './add-model.tsx';
import { ModelCard } from './model-card.tsx';
import { NoModels } from './no-models.tsx';
import { byTrouble } from './order.ts';

/** A card per model, those in trouble first. */
export function Overview() {
  const t = useTranslations('models');
  const query = useModels();
  return (
    <PollState query={query} loading={null} className="pb-4">
      {({ models }) =>
        models.length === 0 ? (
          <NoModels />
        ) : (
          <>
            {models.every((model) => model.origin === 'simulated') ? null : (
              <div className="mb-4 flex justify-end">
                <ForAdmins>
                  <AddModel />
                </ForAdmins>
              </div>
            )}
            <ul aria-label={t('list')} className="grid gap-4 xl:grid-cols-[repeat(auto-fit,minmax(30rem,1fr))]">
              {byTrouble(models).map((model) => (
                <li key={model.name} className="min-w-0">
                  <ModelCard model={model} />
                </li>
              ))}
            </ul>
          </>
        )
      }
    </PollState>
  );
}
