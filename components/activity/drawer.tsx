import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useDialogFocus } from '#components/ui/dialog-focus.ts';

type Props = {
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** What belongs to one row, at the side of its list; over it on a phone. Closes with Esc, outside clicks and its button. */
export function Drawer({ title, actions, onClose, children }: Props) {
  const t = useTranslations('ui');
  const dialogFocus = useDialogFocus();
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          ref={content}
          onCloseAutoFocus={dialogFocus.onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            dialogFocus.onOpenAutoFocus(event);
            // On its first button the focus would only open a tooltip over what people came to read.
            event.preventDefault();
            content.current?.focus();
          }}
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-[min(46rem,100vw)] flex-col border-line-strong border-l bg-raised outline-none"
        >
          <header className="flex min-h-12 items-center justify-between gap-3 border-line border-b py-2 pr-2 pl-4">
            <div className="flex min-w-0 items-center gap-1.5">
              <Dialog.Title className="truncate font-semibold text-base">{title}</Dialog.Title>
              {actions}
            </div>
            <Dialog.Close
              aria-label={t('close')}
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </Dialog.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
