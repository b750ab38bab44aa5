'use client';

import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { loadCode } from '#components/data/load-code.ts';
import type { ModelDialog } from './model-dialog.tsx';

const Loaded = lazy(async () => ({ default: (await loadCode(() => import('./model-dialog.tsx'))).ModelDialog }));

/** The form is large and seldom wanted: its code comes when it is first opened. */
export function LazyModelDialog(props: ComponentProps<typeof ModelDialog>) {
  const [isWanted, setWanted] = useState(props.open);
  if (props.open && !isWanted) setWanted(true);
  return isWanted ? (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  ) : null;
}
