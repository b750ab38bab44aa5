import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';

type Props = {
  readonly label: string;
  readonly about: string;
  readonly canSave: boolean;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** The frame of a setting that is edited in place. Enter saves, Esc cancels. */
export function SettingForm({ label, about, canSave, isSaving, onSave, onClose, children }: Props) {
  const t = useTranslations('model.routing');
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (canSave) onSave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <form aria-label={label} onSubmit={save} onKeyDown={onKeyDown} className="mt-3 rounded-md border border-line p-3">
      <p className="text-muted">{about}</p>
      {children}
      <div className="mt-3 flex gap-2">
        <ForAdmins>
          <Button type="submit" look="primary" disabled={!canSave || isSaving}>
            {t(isSaving ? 'saving' : 'save')}
          </Button>
        </ForAdmins>
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </form>
  );
}
