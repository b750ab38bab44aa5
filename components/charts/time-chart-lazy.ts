import dynamic from 'next/dynamic';
import { loadCode } from '#components/data/load-code.ts';

/** Recharts is most of a page's code and is needed only when there is data to draw. */
export const TimeChart = dynamic(() => loadCode(() => import('./time-chart.tsx')).then((module) => module.TimeChart), {
  ssr: false,
});
