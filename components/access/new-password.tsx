import { useTranslations } from 'use-intl';
import type { PersonState } from '#lib/contract/access.ts';
import { AccountDialog } from './account-dialog.tsx';
import { usePersonChange } from './changes.ts';

type Props = { readonly person: PersonState; readonly onClose: () => void };

/** Another password for somebody who lost theirs. */
export function NewPassword({ person, onClose }: Props) {
  const t = useTranslations('access.people');
  const change = usePersonChange();
  return (
    <AccountDialog
      open
      onOpenChange={onClose}
      title={t('resetTitle', { name: person.name })}
      description={t('resetWhy')}
      submit={t('resetSubmit')}
      isPending={change.isPending}
      error={change.error}
      nameOf={person.name}
      onSubmit={({ password }) => change.mutate({ id: person.id, password }, { onSuccess: onClose })}
    />
  );
}
