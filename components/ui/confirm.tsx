import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button.tsx';
import { useDialogFocus } from './dialog-focus.ts';

type Props = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description: ReactNode;
  readonly confirm: string;
  readonly onConfirm: () => void;
};

/** Asks before something that is felt by others. Focus starts on Cancel. */
export function Confirm({ open, onOpenChange, title, description, confirm, onConfirm }: Props) {
  const t = useTranslations('ui');
  const dialogFocus = useDialogFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <AlertDialog.Content
          {...dialogFocus}
          className="fixed top-[18vh] left-1/2 z-50 w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 rounded-lg border border-line-strong bg-raised p-5"
        >
          <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-muted">{description}</div>
          </AlertDialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>{t('cancel')}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="primary" onClick={onConfirm}>
                {confirm}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
