import dynamic from 'next/dynamic';

/** Recharts is most of a page's code and is needed only when there is data to draw. */
export const TimeChart = dynamic(() => import('./time-chart.tsx').then((module) => module.TimeChart), { ssr: false });
