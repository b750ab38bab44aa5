import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { useDialogFocus } from '#components/ui/dialog-focus.ts';
import type { ModelConfiguration } from '#lib/contract/managed-models.ts';
import { ModelForm } from './model-form.tsx';

type Props = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The model that is changed; null for a new one. */
  readonly model: ModelConfiguration | null;
  readonly onSaved: (saved: ModelConfiguration) => void;
};

/** The form over the page; the whole screen on a phone. A click beside it does not close it: much may be typed. */
export function ModelDialog({ open, onOpenChange, model, onSaved }: Props) {
  const t = useTranslations('models.editor');
  const words = useTranslations('ui');
  const dialogFocus = useDialogFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          {...dialogFocus}
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed top-0 left-1/2 z-50 max-h-dvh w-full max-w-2xl -translate-x-1/2 overflow-y-auto border-line-strong bg-raised p-5 max-sm:h-dvh sm:top-[6vh] sm:max-h-[88vh] sm:w-[calc(100vw-2rem)] sm:rounded-lg sm:border"
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="min-w-0">
              <Dialog.Title className="font-semibold text-base [overflow-wrap:anywhere]">
                {model === null ? t('add') : t('edit', { name: model.name })}
              </Dialog.Title>
              <Dialog.Description className="mt-0.5 text-muted">{t('about')}</Dialog.Description>
            </div>
            <Dialog.Close
              aria-label={words('close')}
              className="-mt-1 -mr-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </Dialog.Close>
          </div>
          <ModelForm model={model} onSaved={onSaved} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
