'use client';

import dynamic from 'next/dynamic';
import { loadCode } from '#components/data/load-code.ts';

/** Nothing of them is there before the routing card's data is, so their code comes after the page, all at once. */
export const LazyPanels = dynamic(() => loadCode(() => import('./panels.tsx')).then((module) => module.Panels), {
  ssr: false,
});
