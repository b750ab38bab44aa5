import { useRef } from 'react';

const FIELD = 'form :is(input, select, textarea):not(:disabled, [readonly])';

/**
 * Where the focus goes when a dialog opens: to the first field of its form, where it has one (else Radix takes its first
 * button). When it closes, back to what had it before: Radix does so only for a dialog with a trigger of its own; ours
 * are opened by state.
 */
export function useDialogFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement;
      const field = event.target instanceof Element ? event.target.querySelector<HTMLElement>(FIELD) : null;
      if (field === null) return;
      event.preventDefault();
      field.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
