import dynamic from 'next/dynamic';

/** Recharts is needed only when there is a report to draw. */
export const PolicyChart = dynamic(() => import('./policy-chart.tsx').then((module) => module.PolicyChart), {
  ssr: false,
});
