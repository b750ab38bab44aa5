import { useTranslations } from 'use-intl';
import { AccountDialog } from './account-dialog.tsx';
import { usePersonAdding } from './changes.ts';

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** Makes the first admin of a console that had no password; the next thing that is seen is the login page. */
export function ProtectDialog({ open, onOpenChange }: Props) {
  const t = useTranslations('access.mode');
  const adding = usePersonAdding();
  if (!open) return null;
  return (
    <AccountDialog
      open
      onOpenChange={onOpenChange}
      title={t('protectTitle')}
      description={t('protectWhy')}
      submit={t('protect')}
      isPending={adding.isPending}
      error={adding.error}
      onSubmit={(account) =>
        adding.mutate({ ...account, role: 'admin' }, { onSuccess: () => location.assign('/login?next=/access') })
      }
    />
  );
}
