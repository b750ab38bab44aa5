'use client';

import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { loadCode } from '#components/data/load-code.ts';
import type { HelpDialog } from './help-dialog.tsx';

const Loaded = lazy(async () => ({ default: (await loadCode(() => import('./help-dialog.tsx'))).HelpDialog }));

/** Seldom wanted, and on every page: its code comes when it is first opened. */
export function LazyHelpDialog(props: ComponentProps<typeof HelpDialog>) {
  const [isWanted, setWanted] = useState(props.open);
  if (props.open && !isWanted) setWanted(true);
  return isWanted ? (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  ) : null;
}
