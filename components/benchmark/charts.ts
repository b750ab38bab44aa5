import dynamic from 'next/dynamic';
import { loadCode } from '#components/data/load-code.ts';

/** Recharts is needed only when there is a report to draw. */
export const PolicyChart = dynamic(
  () => loadCode(() => import('./policy-chart.tsx')).then((module) => module.PolicyChart),
  {
    ssr: false,
  },
);
