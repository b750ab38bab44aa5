'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadCode } from '#components/data/load-code.ts';
import type { ModelDialog } from './model-dialog.tsx';

const Loaded = dynamic(() => loadCode(() => import('./model-dialog.tsx')).then((module) => module.ModelDialog), {
  ssr: false,
});

/** The form is large and seldom wanted: its code comes when it is first opened. */
export function LazyModelDialog(props: ComponentProps<typeof ModelDialog>) {
  const [isWanted, setWanted] = useState(props.open);
  if (props.open && !isWanted) setWanted(true);
  return isWanted ? <Loaded {...props} /> : null;
}
