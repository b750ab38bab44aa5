'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { modelNameOf } from '#components/data/model-name.ts';
import { PAGES } from './pages.ts';

/** The one page that is not in the navigation: who is not signed in sees nothing else. */
export const LOGIN = '/login';

/** What the page is called: in the top bar, and in the browser's tab. */
export function usePageTitle(): string {
  const t = useTranslations('shell.pages');
  const path = usePathname();
  const model = modelInPath(path);
  if (model !== null) return model;
  if (path === LOGIN) return t('login');
  const page = PAGES.find((one) => one.href === path);
  return t(page?.id ?? 'notFound');
}

/** The model that a path is about. */
export function modelInPath(path: string): string | null {
  return path.startsWith('/models/') ? modelNameOf(path.slice('/models/'.length)) : null;
}

/** The title of the browser's tab, which React moves into <head>. Not Next's metadata, which knows no reader's language. */
export function TabTitle() {
  return <title>{`${usePageTitle()} · LM Warden`}</title>;
}
