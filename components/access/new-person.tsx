import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Segmented } from '#components/ui/segmented.tsx';
import type { PersonState } from '#lib/contract/access.ts';
import { AccountDialog } from './account-dialog.tsx';
import { usePersonAdding } from './changes.ts';

/** Adds somebody, a viewer unless chosen otherwise. */
export function NewPerson({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('access');
  const [role, setRole] = useState<PersonState['role']>('viewer');
  const adding = usePersonAdding();
  return (
    <AccountDialog
      open
      onOpenChange={onClose}
      title={t('people.addTitle')}
      submit={t('people.addSubmit')}
      isPending={adding.isPending}
      error={adding.error}
      onSubmit={(account) => adding.mutate({ ...account, role }, { onSuccess: onClose })}
    >
      <div>
        <Segmented
          label={t('people.table.role')}
          value={role}
          options={[
            { value: 'viewer', label: t('roles.viewer') },
            { value: 'admin', label: t('roles.admin') },
          ]}
          onChange={setRole}
        />
        <p className="mt-1 text-muted text-xs">{t(`rolesWhat.${role}`)}</p>
      </div>
    </AccountDialog>
  );
}
