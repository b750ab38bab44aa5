'use client';

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';

/** On what holds a placeholder, from the placeholder up to <main>, with how many it holds; see globals.css. */
const HOLDS = 'data-holds';

/**
 * Stands for data that is not there yet; `children` hold its place. What stands below it on the page is hidden until the
 * data comes, instead of being pushed by it.
 */
export function Loading({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('ui');
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (ref.current ? hold(ref.current) : undefined), []);
  return (
    <div ref={ref} role="status" aria-label={t('loading')} className="flow-root">
      {children}
    </div>
  );
}

/** Marks the elements that hold the placeholder. Not :has() in CSS, which Chromium does not take back in every case. */
function hold(placeholder: HTMLElement): () => void {
  const holders: Element[] = [];
  const main = placeholder.closest('main');
  if (main) for (let at: Element | null = placeholder; at && at !== main; at = at.parentElement) holders.push(at);
  for (const holder of holders) count(holder, 1);
  return () => {
    for (const holder of holders) count(holder, -1);
  };
}

function count(holder: Element, step: 1 | -1): void {
  const held = Number(holder.getAttribute(HOLDS) ?? 0) + step;
  if (held > 0) holder.setAttribute(HOLDS, String(held));
  else holder.removeAttribute(HOLDS);
}
