import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDialogFocus } from './dialog-focus.ts';

type Props = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: string;
  /** Closes by a button among its children alone: what it shows cannot be had again. */
  readonly insists?: boolean;
  readonly children: ReactNode;
};

/** A modal with a title; closes with Esc, outside clicks and its button. */
export function Dialog({ open, onOpenChange, title, description, insists = false, children }: Props) {
  const t = useTranslations('ui');
  const dialogFocus = useDialogFocus();
  return (
    <Radix.Root open={open} onOpenChange={(wish) => (insists ? undefined : onOpenChange(wish))}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...dialogFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className="fixed top-[12vh] left-1/2 z-50 max-h-[80vh] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto rounded-lg border border-line-strong bg-raised p-5"
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
            {insists ? null : (
              <Radix.Close
                aria-label={t('close')}
                className="-mt-1 -mr-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
              >
                <X aria-hidden="true" className="size-4" />
              </Radix.Close>
            )}
          </div>
          {description ? <Radix.Description className="mt-1 text-muted">{description}</Radix.Description> : null}
          <div className="mt-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
