import dynamic from 'next/dynamic';

/** Recharts is most of this page's code and is needed only when there is data to draw. */
export const TokenChart = dynamic(() => import('./token-chart.tsx').then((module) => module.TokenChart), {
  ssr: false,
});
export const LatencyChart = dynamic(() => import('./latency-chart.tsx').then((module) => module.LatencyChart), {
  ssr: false,
});
