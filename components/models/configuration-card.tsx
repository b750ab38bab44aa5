'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { useTranslations } from 'use-intl';
import { useModelConfiguration } from '#components/data/managed-models.ts';
import { useModelName } from '#components/data/url-state.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { ModelConfiguration } from '#lib/contract/managed-models.ts';
import { LazyModelDialog } from './lazy-model-dialog.tsx';
import { useMayOpenForm } from './may-open-form.ts';
import { RemoveModel } from './remove-model.tsx';

/** Where the model is defined and how, with the buttons to change and remove it where that can be done here. */
export function ConfigurationCard() {
  const t = useTranslations('models.configuration');
  const [isEditing, setEditing] = useQueryState('edit', parseAsBoolean.withDefault(false));
  const [isRemoving, setRemoving] = useQueryState('remove', parseAsBoolean.withDefault(false));
  const mayOpen = useMayOpenForm();
  const query = useModelConfiguration(useModelName());
  const { data } = query;
  const actions = (
    <ForAdmins>
      <div className="flex gap-2">
        {data?.can_change ? (
          <Button onClick={() => void setEditing(true)}>
            <Pencil aria-hidden="true" className="size-3.5" />
            {t('edit')}
          </Button>
        ) : null}
        {data?.can_remove ? (
          <Button onClick={() => void setRemoving(true)}>
            <Trash2 aria-hidden="true" className="size-3.5" />
            {t('remove')}
          </Button>
        ) : null}
      </div>
    </ForAdmins>
  );
  return (
    <Card title={t('title')} actions={actions}>
      <PollState query={query} loading={<Skeleton className="h-24" />} className="pb-3">
        {(model) => <Facts model={model} />}
      </PollState>
      {data === undefined ? null : (
        <>
          <LazyModelDialog
            open={isEditing && mayOpen && data.can_change}
            onOpenChange={(open) => void setEditing(open ? true : null)}
            model={data}
            onSaved={() => void setEditing(null)}
          />
          <RemoveModel
            model={data}
            open={isRemoving && mayOpen && data.can_remove}
            onOpenChange={(open) => void setRemoving(open ? true : null)}
          />
        </>
      )}
    </Card>
  );
}

function Facts({ model }: { readonly model: ModelConfiguration }) {
  const t = useTranslations('models.configuration');
  const format = useFormat();
  const { changed_at: changedAt, max_num_seqs: maxNumSeqs } = model;
  return (
    <FactList>
      <Fact name={t('origin')}>
        {t(model.origin)}
        {changedAt === null ? null : (
          <span className="text-muted">, {t.rich('changed', { age: () => <Age time={changedAt} /> })}</span>
        )}
      </Fact>
      <Fact name={t('served')}>{model.served_model_name ?? <span className="text-muted">{t('asListed')}</span>}</Fact>
      <Fact name={t('aliases')}>
        {model.aliases.length === 0 ? <span className="text-muted">{t('none')}</span> : model.aliases.join(', ')}
      </Fact>
      <Fact name={t('key')}>{t(model.has_api_key ? 'keyKept' : 'keyNone')}</Fact>
      <Fact name={t('maxNumSeqs')}>
        {maxNumSeqs === null ? <span className="text-muted">{t('notSet')}</span> : format.exact(maxNumSeqs)}
      </Fact>
    </FactList>
  );
}
