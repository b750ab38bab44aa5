import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './icon-button.tsx';

/** Copies a text; says so for two seconds. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const t = useTranslations('ui');
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (button: HTMLElement) => {
    setState((await copyText(text, button)) ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), 2000);
  };
  const shown = { idle: label ?? t('copy'), copied: t('copied'), failed: t('copyFailed') }[state];
  return (
    <>
      <IconButton label={shown} onClick={(event) => void copy(event.currentTarget)}>
        {state === 'copied' ? (
          <Check aria-hidden="true" className="size-4 text-ok" />
        ) : (
          <Copy aria-hidden="true" className="size-4" />
        )}
      </IconButton>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : shown}
      </span>
    </>
  );
}

/** The clipboard API exists only on https and localhost; a router on another machine is reached by plain http. */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, button);
  }
}

/** Within the dialog that the button is in, which takes the focus back from whatever stands outside of it. */
function copyBySelection(text: string, button: HTMLElement): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  (button.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    button.focus();
  }
}
